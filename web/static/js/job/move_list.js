// The moves of a solution as links beside its player, which marks the last one. Of a long solution, only the
// moves around the position are listed.

import { formatMove } from "../board/player.js";
import { make } from "../elements.js";

const MAX_ITEMS = 240; // the same as `MAX_LISTED_MOVES` on the server
const PAUSE_MS = 250; // between two parts of a long solution that plays

export class MoveList {
  /** @param {HTMLElement} root of the page */
  constructor(root) {
    this.box = root.querySelector('[data-part="moves-box"]');
    this.list = root.querySelector('[data-part="moves"]');
    this.list.addEventListener("click", (event) => this.#handleClick(event));
    this.list.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  /** Follow a player from now on. */
  follow(player) {
    this.player = player;
    this.first = null; // the position before the first move of the list
    this.box.hidden = player.playback.length === 0;
    this.show(player.playback.position);
  }

  /** Mark the move that leads to a position. */
  show(position) {
    if (this.box.hidden) return;
    const { length } = this.player.playback;
    const first = Math.max(0, Math.min(position - MAX_ITEMS / 2, length - MAX_ITEMS));
    const isListed = this.first !== null && position > this.first && position <= this.first + this.list.children.length;
    if (!isListed && first !== this.first && !this.#fill(first)) return;
    const links = this.list.querySelectorAll("a");
    const hasFocus = this.list.contains(document.activeElement);
    const current = links[position - 1 - this.first];
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "step");
    for (const link of this.list.querySelectorAll('[tabindex="0"]')) link.tabIndex = -1;
    const reachable = current ?? links[0];
    reachable.tabIndex = 0;
    if (hasFocus) reachable.focus({ preventScroll: true });
    this.#scrollTo(reachable);
  }

  /** List the moves after a position; returns false if they are not loaded, or if it was done just now. */
  #fill(first) {
    const now = performance.now();
    if (this.player.playing && now - this.filledAt < PAUSE_MS) return false;
    const { playback } = this.player;
    const moves = playback.listMoves(first, Math.min(playback.length, first + MAX_ITEMS));
    if (!moves) return false;
    this.filledAt = now;
    this.first = first;
    this.list.start = first + 1;
    const items = moves.map((move, index) => {
      const link = make("a", { href: `#move=${first + index + 1}`, tabIndex: -1 }, formatMove(move));
      return make("li", {}, link);
    });
    this.list.replaceChildren(...items);
    return true;
  }

  /** Scroll the list, but not the page. */
  #scrollTo({ parentElement: item }) {
    const { list } = this;
    const top = item.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  }

  #handleClick(event) {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault(); // the link would be an entry of the browser's history
    this.player.go(Number(link.hash.split("=")[1]));
  }

  #handleKey(event) {
    const { position, length } = this.player.playback;
    const target = { ArrowRight: position + 1, ArrowLeft: position - 1, Home: 0, End: length }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.player.go(target);
  }
}
