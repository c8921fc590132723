// How large all heads are as small maps.

const SCROLLBAR = 14; // pixels
const [SMALLEST, LARGEST_THUMB, LARGEST_BESIDE] = [13, 124, 240]; // pixels of a thumbnail; the last beside a large head
const SMALLEST_NAMED = 40; // with its name below it
const [NUMBERS, LAYERS] = [17, 48]; // pixels of the column that says the layers, as numbers or in full
const [CAPTION, BETWEEN_NAMES] = [32, 16]; // pixels below a small map, for its name, and between two names
const FLAT = 3.6; // times as wide as high, at most, where the map is away

/** So many heads that they get more of the width, and come before what is said of them. */
export const isMany = ({ L, H }) => L * H >= 48;

/** How wide a small map is: a name needs more width than height. */
function widthOf({ isCaptioned, isResting }, size, share) {
  return isCaptioned ? Math.min(share - BETWEEN_NAMES, isResting ? FLAT * size : share) : size;
}

/** The size of a thumbnail, and what is around it; in all of the room, or in a list by score. */
export function sized(view, room, by) {
  const { L, H, header } = view.picture;
  const { isCaptioned } = view;
  const isWide = view.isHunt && view.isStaged && !by; // on a stage all of the width is theirs
  const gap = isWide ? 7 : H >= 10 ? 3 : 5; // pixels between heads
  const largest = header.beside && !isMany(view.whole) ? LARGEST_BESIDE : LARGEST_THUMB;
  const below = isCaptioned ? CAPTION : gap;
  const lead = isCaptioned ? LAYERS : NUMBERS;
  const share = (room - lead - gap) / H - gap; // of the width
  const inGrid = Math.min(largest, share, view.thumbRoom / L - below);
  const listRoom = room - SCROLLBAR;
  const least = Math.max(inGrid, SMALLEST_NAMED) + 5;
  const columns = by ? Math.max(1, Math.min(L * H, Math.floor(listRoom / least))) : H;
  const size = Math.floor(by ? Math.min(LARGEST_THUMB, listRoom / columns - 5) : Math.max(SMALLEST, inGrid));
  const across = Math.floor(isWide ? share : widthOf(view, size, share));
  const each = isCaptioned ? Math.floor(share) : across;
  return { columns, size, across, places: `${by ? "" : `${lead}px`} repeat(${columns}, ${each}px); --gap: ${gap}px` };
}
