// What the server answers to a scene that asks for the units of a layer: it hands them over, and shows nothing.

import { mount, unpack } from "../../../../attention_view/lab.js";
import { Units } from "../../../../attention_view/scene_units.js";
import { post } from "../feed.js";

class UnitsFeed {
  update(bytes, { setStateValue }) {
    const { header, arrays } = unpack(bytes);
    const { reading, layer } = header;
    const ask = (wanted) => setStateValue("asked", { reading, layer: wanted });
    post().answer({ reading, ask, units: layer < 0 ? null : new Units(layer, arrays) });
  }
}

export default mount(".units-feed", UnitsFeed);
