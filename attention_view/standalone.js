// The attention view in a page of its own.

import { alone } from "./export_html.js";
import { View } from "./view.js";

alone(View);
