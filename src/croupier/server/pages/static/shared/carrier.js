// How a page reaches its table: frames by a WebSocket, everything else by HTTP. A folder that no
// service serves has a file of its own in this place, with the same two functions.

/**
 * @typedef {object} Listener
 * @property {() => void} opened
 * @property {(text: string) => void} told
 * @property {(why: { code: number, reason: string }) => void} lost
 */

/** @typedef {{ readonly isLost: boolean }} Line */

/**
 * Listen at a path: `opened` once, `told` with the text of each message, `lost` when it ends.
 * @param {string} path
 * @param {Listener} listener
 * @returns {Line}
 */
export function listen(path, listener) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${path}`);
  socket.onopen = () => listener.opened();
  socket.onmessage = (message) => listener.told(message.data);
  socket.onclose = (closed) => listener.lost(closed);
  return {
    get isLost() {
      return socket.readyState > WebSocket.OPEN;
    },
  };
}

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export function request(path, how) {
  return fetch(path, how);
}
