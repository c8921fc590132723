// What all figures on heads do alike: each has a grid of them, and in it those that are pressed.

import { roomOf, unpack } from "../../../../attention_view/lab.js";
import { Presses } from "../../../../lab/kit/components/latest.js";

/** A figure has seen(layer, head) as of HeadGrid, what else of it is `drawn`, sentence(), show(), and follow(told). */
export class Heads {
  /** Of the header: told, the name of what is pressed, and about, the names of what no press outlives. */
  constructor(root, told, about) {
    Object.assign(this, { root, names: { told, about } });
    this.presses = new Presses(() => (this.follow(this.header[told]), this.show()));
  }

  update(bytes, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      this.read(unpack(bytes));
    }
    this.build();
  }

  read({ header, arrays }) {
    Object.assign(this, { header, arrays, H: header.shape[1] });
    const { told, about } = this.names;
    const now = JSON.stringify(about.map((name) => header[name]));
    if (now !== this.about) {
      this.presses.forget();
      this.begin?.();
    }
    this.about = now;
    if (this.presses.isNews(header[told])) this.follow(header[told]);
  }

  resized() {
    if (this.room !== roomOf(this.root) && this.header) this.build();
  }

  build() {
    const { root, header, arrays } = this;
    if (!root.clientWidth) return;
    this.room = roomOf(root);
    const seen = (layer, head) => this.seen(layer, head);
    this.grid.draw({ shape: header.shape, maps: arrays.maps, seen, ...this.drawn });
    this.sentence();
    this.show();
  }
}
