// The scene of a model in its page: the canvas, its bar, and its place in the address.

import { el, mirror, mount, param, unpack } from "../../../../attention_view/lab.js";
import { Scene } from "../../../../attention_view/scene.js";
import { readPlace, writtenPlace } from "../../../../attention_view/scene_places.js";
import { askForUnits } from "../../../../attention_view/scene_units.js";
import { numbersOf } from "../../../../attention_view/scene_towers.js";
import { Asking } from "../feed.js";
import { Marks } from "../marks.js";

const FOOT = { words: 84, patches: 108 }; // pixels that what is read takes below the columns

class ModelScene {
  constructor(root) {
    const turned = (isNear) => root.toggleAttribute("data-away", isNear);
    this.scene = new Scene({ moved: () => this.moved(), turned });
    this.marks = new Marks(this.scene);
    this.asking = new Asking(
      () => this.scene.numbers,
      () => {
        this.scene.added();
        this.moved();
      },
    );
    this.scene.place = readPlace(param("front_place"));
    this.finding = el("p.finding", { role: "status" });
    const screen = el("div.screen", this.scene.canvas, this.marks.node);
    root.replaceChildren(el("div.headline", this.finding), screen, this.scene.bar);
    this.link = mirror((put) => put("front_place", writtenPlace(this.scene.place), ""));
  }

  destroy() {
    this.stopAsking?.();
    this.asking.destroy();
    this.scene.destroy();
    this.marks.destroy();
  }

  /** Further in, the units of a layer are asked for. */
  moved() {
    this.link.later();
    this.stopAsking?.();
    this.stopAsking = askForUnits(this.scene, (l) => this.asking.ask(l));
  }

  update(bytes) {
    const { header, arrays } = unpack(bytes);
    const { patches, ...others } = arrays;
    const numbers = numbersOf(header, patches ? { patches, ...others } : others);
    this.finding.replaceChildren(...header.finding.map(([text, kind]) => (kind ? el(`b.${kind}`, text) : text)));
    this.marks.show(header.marks);
    this.scene.show({ numbers, opens: header.opens, doors: header.doors });
    this.asking.take();
    this.scene.laid({ top: 16, foot: patches ? FOOT.patches : FOOT.words });
  }
}

export default mount(".model-scene", ModelScene);
