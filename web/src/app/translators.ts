/**
 * Keep React working on a page that a browser extension translates.
 *
 * Translators replace text nodes with `<font>` elements, even on a page with `translate="no"`. React still refers to
 * the text nodes that it made: it throws when it removes a replaced node or inserts beside it, and it writes new values
 * into nodes that are no longer shown (https://github.com/facebook/react/issues/11538). This module replaces the four
 * DOM members that React uses on text nodes with versions that know the replacement of each node. Nodes that no
 * translator touched behave as before, errors included.
 */

/** The element with which a translator replaced a text node. */
const standIns = new WeakMap<Node, ChildNode>();

const isFont = (node: Node): node is HTMLElement => node.nodeName === "FONT";

function learn(records: readonly MutationRecord[]): void {
  const fonts = new Set(records.flatMap(({ addedNodes }) => [...addedNodes].filter(isFont)));
  if (fonts.size === 0) return;
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    const beside = [...addedNodes, previousSibling, nextSibling];
    const font = beside.find((node) => node !== null && isFont(node) && fonts.has(node));
    for (const node of removedNodes) {
      if (font && node instanceof Text) standIns.set(node, font as HTMLElement);
    }
  }
}

function standInOf(node: Node): ChildNode | undefined {
  const found = node.parentNode === null ? standIns.get(node) : undefined;
  return found?.parentNode ? found : undefined;
}

/** The child of `parent` that is `node`, contains it, or replaced it. */
function childOf(parent: Node, node: Node): Node | null {
  let child: Node | null = standInOf(node) ?? node;
  while (child !== null && child.parentNode !== parent) child = child.parentNode;
  return child;
}

export function followTranslators(): void {
  const observer = new MutationObserver(learn);
  observer.observe(document.documentElement, { childList: true, subtree: true });
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue")!;

  Node.prototype.removeChild = function removed<T extends Node>(this: Node, child: T): T {
    const standIn = standInOf(child);
    if (standIn !== undefined && this.contains(standIn)) {
      standIn.remove();
      return child;
    }
    const parent = child.parentNode;
    if (parent === null || parent === this || !isFont(parent) || !this.contains(parent)) {
      return removeChild.call(this, child) as T;
    }
    removeChild.call(parent, child);
    if (parent.childNodes.length === 0) parent.remove();
    return child;
  };

  Node.prototype.insertBefore = function inserted<T extends Node>(
    this: Node,
    node: T,
    before: Node | null,
  ): T {
    standInOf(node)?.remove();
    return insertBefore.call(this, node, before && (childOf(this, before) ?? before)) as T;
  };

  Node.prototype.appendChild = function appended<T extends Node>(this: Node, node: T): T {
    standInOf(node)?.remove();
    return appendChild.call(this, node) as T;
  };

  Object.defineProperty(Node.prototype, "nodeValue", {
    ...value,
    set(this: Node, text: string | null) {
      standInOf(this)?.replaceWith(this);
      value.set!.call(this, text);
    },
  });
}
