// Frames by a WebSocket, everything else by HTTP: the carrier of a page that a service serves.

/** @import { Line, Listener } from "./carrier.js" */

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
