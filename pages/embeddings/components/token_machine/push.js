// The hand that pushes two tiles together: every pair of the same two closes along with them.

import { pointIn } from "../../../../attention_view/lab.js";

const FAR = 4; // pixels from which on a press is a push
const YIELD = 0.3; // of the way that a pair gives way that is not the most frequent

export class Push {
  /** machine: has the joints {node, left, right, n}, canMerge(), push() and refuse() */
  constructor(machine) {
    this.machine = machine;
    this.held = null;
  }

  get listeners() {
    return {
      onpointerdown: (event) => this.take(event),
      onpointermove: (event) => this.held && this.move(event),
      onpointerup: () => this.drop(),
      onpointercancel: () => this.drop(),
    };
  }

  take(event) {
    if (event.button || !this.machine.joints.length) return;
    this.held = { x: this.across(event), on: event.target };
  }

  across(event) {
    return pointIn(event, this.machine.nodes.chips)[0];
  }

  /** The joint that a move to the right or to the left closes. */
  jointOf(on, isRight) {
    const { joints } = this.machine;
    const pressed = joints.find(({ node }) => node === on);
    const tile = on.closest(".tile");
    const beside = isRight ? tile?.nextElementSibling : tile?.previousElementSibling;
    return pressed ?? joints.find(({ node }) => node === beside);
  }

  move(event) {
    const { held, machine } = this;
    if (!event.buttons) return this.drop(); // it was let go elsewhere
    const way = this.across(event) - held.x;
    if (!held.joint) {
      if (Math.abs(way) < FAR) return;
      held.joint = this.jointOf(held.on, way > 0);
      if (!held.joint) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      machine.merges.halt();
      held.merge = machine.canMerge(held.joint);
    }
    const share = Math.min(1, Math.abs(way) / (1.4 * machine.gap));
    this.close(held.joint, held.merge ? share : YIELD * share, true);
    if (share < 1) return;
    this.held = null;
    const { left, right } = held.joint;
    if (held.merge) machine.go(held.merge, true);
    else machine.refuse(left, right);
  }

  drop() {
    if (this.held?.joint) this.close(this.held.joint, 0);
    this.held = null;
  }

  /** All pairs like this one have closed by a share of the gap between them; isLed: a hand leads them. */
  close({ left, right }, share, isLed = false) {
    const { joints, gap, nodes } = this.machine;
    nodes.chips.classList.toggle("led", isLed);
    const twins = new Set(joints.filter((one) => one.left === left && one.right === right).map(({ node }) => node));
    for (const piece of nodes.chips.children) {
      let closed = 0;
      for (const node of piece.children) {
        const isTwin = twins.has(node);
        node.style.transform = `translateX(${(-closed - (isTwin ? (share * gap) / 2 : 0)).toFixed(2)}px)`;
        node.classList.toggle("closing", isTwin && share > 0);
        node.style.setProperty("--closed", isTwin ? share : 0);
        if (isTwin) closed += share * gap;
      }
    }
  }
}
