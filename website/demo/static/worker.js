// The table in a web worker: CPython, the package, the coach's kernel, and files that are kept.

import { loadPyodide } from "../python/pyodide.mjs";
import { StoredFiles } from "./files.js";
import { Kernel } from "./kernel.js";

const FOLDER = "/room";
const LEDGER = `${FOLDER}/practice.db`;
const HERE = new URL("..", import.meta.url).href;

/** @param {string} path */
const fetched = async (path) => {
  const response = await fetch(`${HERE}${path}`);
  if (!response.ok) throw new Error(`${path} cannot be loaded`);
  return response;
};
/** @param {object} message @param {Transferable[]} [moved] */
const say = (message, moved = []) => postMessage(message, { transfer: moved });

// Two tabs at one ledger would deal over each other: the second waits until the first is closed.
function alone() {
  return new Promise((done) => {
    const waits = setTimeout(() => say({ waits: true }), 1500);
    navigator.locks.request("croupier-room", () => {
      clearTimeout(waits);
      done(undefined);
      return new Promise(() => {});
    });
  });
}

async function begin() {
  const [python, archive, wheel, data] = await Promise.all([
    loadPyodide({ indexURL: `${HERE}python/`, stdLibURL: `${HERE}python/library.zip` }),
    fetched("python/croupier.zip").then((response) => response.arrayBuffer()),
    fetched("python/msgspec.zip").then((response) => response.arrayBuffer()),
    fetched("demo/coach.json").then((response) => response.json()),
    alone(),
  ]);
  python.unpackArchive(wheel, "zip");
  python.unpackArchive(archive, "zip");
  const kernel = new Kernel(data);
  python.FS.mkdir(FOLDER);
  const files = new StoredFiles(python.FS, FOLDER);
  await files.restore();
  /** @type {Record<string, (...asked: string[]) => string>} */
  const counts = {
    values: (hash, position) => JSON.stringify(kernel.values(hash, JSON.parse(position))),
    odds: (hash, position) => JSON.stringify(kernel.odds(hash, JSON.parse(position))),
    beaten: (position) => JSON.stringify(kernel.beaten(JSON.parse(position))),
    sides: (hash) => JSON.stringify(data.sides[hash]),
  };
  const room = python.pyimport("website.demo.room").Room(LEDGER, counts, () => files.save());
  return { python, room, files, readyMs: Date.now() };
}

const begun = begin();
begun.then(
  () => say({ ready: true }),
  (error) => say({ failed: String(error) }),
);

/**
 * What a page asks for; which of it there is depends on what is to be done.
 * @typedef {{ id: number, do: string, method: string, path: string, body: string, atMs: number,
 *   bytes: ArrayBuffer }} Asked
 */

/** @type {Record<string, (asked: Asked) => Promise<void>>} */
const WORK = {
  async request({ id, method, path, body, atMs }) {
    const { room, readyMs } = await begun;
    const told = await room.request.callKwargs(method, path, body, { early: atMs < readyMs });
    const { status, kind } = told;
    const content = told.body.toJs();
    told.destroy();
    const bytes = new Uint8Array(content);
    say({ id, status, kind, bytes }, [bytes.buffer]);
  },

  async listen({ id, path }) {
    const { room } = await begun;
    await room.listen(path, (/** @type {string} */ text) => say({ id, text }));
  },

  // Another ledger takes the place of this one, if it is one of a practice room.
  async bring({ id, bytes }) {
    const { room, files, python } = await begun;
    const why = room.brought(new Uint8Array(bytes));
    if (!why) {
      python.FS.writeFile(LEDGER, new Uint8Array(bytes));
      await files.save();
    }
    say({ id, why });
  },
};

self.onmessage = async ({ data }) => {
  try {
    await WORK[data.do](data);
  } catch (error) {
    say({ id: data.id, failed: String(error) });
  }
};
