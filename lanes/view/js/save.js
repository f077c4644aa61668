// Files to the disk, a link to the clipboard, and the link itself.

/**
 * Offer a text as a file.
 * @param {string} name
 * @param {string} type of media
 * @param {string} text
 */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const anchor = document.createElement("a");
  anchor.setAttribute("href", address);
  anchor.setAttribute("download", name);
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * The part of a link that says what is shown.
 * @param {{name: string, choice: string[], step: number, selection: string}} shown
 * @returns {string} with its "#"
 */
export function hashOf({ name, choice, step, selection }) {
  return `#lanes=${name};${encodeURIComponent(choice.join("."))};${step};${encodeURIComponent(selection)}`;
}

/**
 * Read it again. Nothing is believed: whether there is such a choice or cell is for the scene to say.
 * @param {string} hash
 * @returns {{name: string, choice: string, step: number, selection: string} | null} choice: its options joined by "."
 */
export function readHash(hash) {
  const parts = /^#lanes=([a-z0-9-]+);([^;]*);(\d{1,3});([^;]*)$/.exec(hash);
  if (!parts) return null;
  try {
    return {
      name: parts[1],
      choice: decodeURIComponent(parts[2]),
      step: Number(parts[3]),
      selection: decodeURIComponent(parts[4]),
    };
  } catch {
    return null; // a broken percent sign
  }
}

/**
 * Put a text on the clipboard.
 * @param {string} text
 * @returns {Promise<boolean>} whether it is there
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
