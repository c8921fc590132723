// The head under the pointer: what is large shows it, and it has a frame among all.

export class Peek {
  constructor(view) {
    this.view = view;
  }

  /** Shows where a head looks, where arcs tell of one; null: the one that is chosen does. */
  show(head) {
    const { view } = this;
    const peek = view.isLively ? head : null;
    if (String(peek) === String(view.peek)) return;
    view.peek = peek;
    this.frame(peek);
    view.drawMap();
    view.paintCell();
    view.overview.tags.paint();
    view.overview.hunt.paint();
  }

  frame(head) {
    const { overview, picture } = this.view;
    this.framed?.classList.remove("peeked");
    this.framed = head && overview.thumbs[picture.index(...head)].button;
    this.framed?.classList.add("peeked");
  }
}
