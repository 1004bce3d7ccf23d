// What a node is at a place of the clock; shapes and words go by it, not by colour alone.

/** @returns {"current" | "expanded" | "waiting" | "duplicate" | "cheaper" | "cut" | "forbidden"} */
export function kindOf(node, place, current) {
  if (node === current) return "current";
  if (node.outcome === "forbidden") return "forbidden";
  if (node.outcome === "duplicate" || node.outcome === "cut") return node.expandedAt <= place ? "expanded" : node.outcome;
  if (node.expandedAt <= place) return "expanded";
  return node.outcome === "cheaper" ? "cheaper" : "waiting";
}
