// Making elements. Nothing in the widget parses markup: text is set as text.

/**
 * An HTML element.
 * @param {string} tag
 * @param {string} classes
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {any}
 */
export function element(tag, classes = "", attributes = {}, children = []) {
  return dress(document.createElement(tag), classes, attributes, children);
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {string} classes
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 * @returns {any}
 */
export function shape(tag, classes = "", attributes = {}, children = []) {
  return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, attributes, children);
}

function dress(node, classes, attributes, children) {
  if (classes) node.setAttribute("class", classes);
  set(node, attributes);
  node.append(...children);
  return node;
}

/**
 * Set attributes.
 * @param {Element} node
 * @param {Record<string, string | number>} attributes
 */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}
