// The room's files in IndexedDB, block by block: only what changed since the last time is written.

const BLOCK = 65_536;

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open("croupier", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("blocks");
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/**
 * @template T
 * @param {IDBRequest<T>} asked
 * @returns {Promise<T>}
 */
const answered = (asked) => new Promise((done) => (asked.onsuccess = () => done(asked.result)));

/** @param {IDBTransaction} writing */
const finished = (writing) =>
  new Promise((done, failed) => {
    writing.oncomplete = () => done(undefined);
    writing.onabort = writing.onerror = () => failed(writing.error);
  });

/** @param {Uint8Array} one @param {Uint8Array | undefined} other */
function same(one, other) {
  if (one.length !== other?.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

export class StoredFiles {
  /** @param {any} fs Emscripten's file system @param {string} folder */
  constructor(fs, folder) {
    this.fs = fs;
    this.folder = folder;
    /** @type {Map<string, Uint8Array>} what is stored, by file and number of the block */
    this.kept = new Map();
    this.saving = Promise.resolve();
  }

  /** What was stored before, as files. */
  async restore() {
    this.store = await open();
    const reading = this.store.transaction("blocks").objectStore("blocks");
    const [keys, blocks] = await Promise.all([
      answered(reading.getAllKeys()),
      answered(reading.getAll()),
    ]);
    keys.forEach((key, at) => this.kept.set(String(key), blocks[at]));
    const names = new Set([...this.kept.keys()].map((key) => key.split("/")[0]));
    for (const name of names) {
      this.fs.writeFile(`${this.folder}/${name}`, this.whole(name));
      this.fs.chmod(`${this.folder}/${name}`, 0o600); // keys that others can read are refused
    }
  }

  /** @param {string} name */
  whole(name) {
    const parts = [];
    for (let at = 0; this.kept.has(`${name}/${at}`); at++) {
      parts.push(this.kept.get(`${name}/${at}`));
    }
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let place = 0;
    for (const part of parts) {
      whole.set(part, place);
      place += part.length;
    }
    return whole;
  }

  /** All files as they are now, in one transaction; done once the browser has them. */
  save() {
    this.saving = this.saving.catch(() => {}).then(() => this.write());
    return this.saving;
  }

  async write() {
    const now = this.blocks();
    const writing = this.store.transaction("blocks", "readwrite");
    const blocks = writing.objectStore("blocks");
    for (const [key, block] of now) if (!same(block, this.kept.get(key))) blocks.put(block, key);
    for (const key of this.kept.keys()) if (!now.has(key)) blocks.delete(key);
    this.kept = now;
    await finished(writing);
  }

  blocks() {
    /** @type {Map<string, Uint8Array>} */
    const found = new Map();
    for (const name of this.fs.readdir(this.folder)) {
      if (!name.endsWith(".db") && !name.endsWith("-wal") && !name.endsWith(".keys")) continue;
      const content = this.fs.readFile(`${this.folder}/${name}`);
      for (let at = 0; at * BLOCK < content.length; at++) {
        const block = content.slice(at * BLOCK, (at + 1) * BLOCK);
        found.set(`${name}/${at}`, block);
      }
    }
    return found;
  }
}
