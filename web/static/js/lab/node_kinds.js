// The kind of a node at a position of the clock, which determines its shape and description.

/** @returns {"current" | "expanded" | "waiting" | "duplicate" | "cheaper" | "cut" | "forbidden"} */
export function getNodeKind(node, position, current) {
  if (node === current) return "current";
  if (node.outcome === "forbidden") return "forbidden";
  if (node.outcome === "duplicate" || node.outcome === "cut") return node.expandedAt <= position ? "expanded" : node.outcome;
  if (node.expandedAt <= position) return "expanded";
  if (node.replacedAt <= position) return "duplicate"; // it left the frontier, or will be skipped
  return node.outcome === "cheaper" ? "cheaper" : "waiting";
}
