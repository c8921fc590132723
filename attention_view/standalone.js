// The attention view in a page of its own.

import { alone } from "./alone.js";
import { View } from "./view.js";

alone(View);
