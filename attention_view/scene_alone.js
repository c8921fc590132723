// A scene in a page of its own.

import { alone } from "./export_html.js";
import { el, unpack } from "./lab.js";
import { Scene } from "./scene.js";
import { numbersOf } from "./scene_towers.js";

class SceneAlone {
  constructor(root) {
    this.scene = new Scene({ turned: (isNear) => root.toggleAttribute("data-away", isNear) });
    this.root = root;
    root.classList.add("scene-alone");
    root.replaceChildren(el("div.screen", this.scene.canvas), this.scene.bar);
  }

  /** New numbers; without any, the same ones in other colours. */
  update(payload) {
    if (payload) {
      const { header, arrays } = unpack(payload);
      this.scene.show({ numbers: numbersOf(header, arrays), opens: header.opens });
    }
    this.scene.laid({ top: 12, foot: 76 });
    this.root.dataset.painted = "true";
  }
}

alone(SceneAlone);
