// One choice of an analyst: a rulebook, a paytable for each wager, and lines written over.
// What is wrong with a line the service says; the page only shows it beside the line.

import { post } from "../shared/connection.js";
import { all, el, fieldOf, first } from "../shared/dom.js";
import { price, repricedBase, slider, tell, tellBase } from "./line_sliders.js";

/** @import { Solution } from "./counting.js" */

/**
 * @typedef {Record<string, Server.BookWorth>} Books by id
 * @typedef {[phrase: string, pays: string][]} Lines of a paytable
 * @typedef {{ rulebook: string, letters?: Record<string, string>, lines?: Record<string, Lines>,
 *   amounts?: Record<string, number>, vary?: Record<string, string> }} Chosen
 * @typedef {{ paytables?: Record<string, string>,
 *   lines?: Record<string, { for: string, pays: string }[]> }} Asked
 * @typedef {{ kind: "ante" | "stake" | "meter", name: string, key: string, says: string,
 *   usual: number | null, least: number }} Amount
 */

export class Choice {
  /**
   * @param {HTMLFormElement} form
   * @param {Books} books
   * @param {(choice: Choice) => void} onChange
   */
  constructor(form, books, onChange) {
    this.form = form;
    this.books = books;
    this.onChange = onChange;
    this.side = form.dataset.side;
    this.checks = 0;
    /** @type {{ key: string, id: string, result: Solution,
     *   paid: Record<string, Record<string, number>> } | null} */
    this.answer = null;
    // Whether prices of a wager of the base game, and nothing else, were changed since.
    this.isRepriced = false;
    const select = fieldOf(form, "rulebook", HTMLSelectElement);
    select.append(
      ...Object.entries(books).map(([id, book]) =>
        el("option", { value: id }, `${book.title} (${id})`),
      ),
    );
    select.addEventListener("change", () => {
      this.take({ rulebook: select.value });
      this.changed();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    this.take({ rulebook: Object.keys(books)[0] });
  }

  get book() {
    return this.books[this.rulebook];
  }

  /** @param {Chosen} chosen */
  take({ rulebook, letters = {}, lines = {}, amounts = {}, vary = {} }) {
    this.rulebook = rulebook;
    this.amounts = { ...amounts };
    this.vary = { ...vary };
    this.letters = Object.fromEntries(
      this.book.wagers.map(({ name, tables }) => [
        name,
        letters[name] in tables ? letters[name] : Object.keys(tables)[0],
      ]),
    );
    /** @type {Record<string, Lines>} */
    this.lines = {};
    for (const { name } of this.book.wagers) if (lines[name]) this.write(name, lines[name]);
    fieldOf(this.form, "rulebook", HTMLSelectElement).value = rulebook;
    this.draw();
  }

  copy() {
    return structuredClone({
      rulebook: this.rulebook,
      letters: this.letters,
      lines: this.lines,
      amounts: this.amounts,
      vary: this.vary,
    });
  }

  /**
   * Lines that are those of the book again are no longer one's own.
   * @param {string} wager
   * @param {Lines} lines
   */
  write(wager, lines) {
    const printed = this.printed(wager);
    const same =
      lines.length === printed.length &&
      lines.every((line, n) => line[0] === printed[n][0] && line[1] === printed[n][1]);
    if (same) delete this.lines[wager];
    else this.lines[wager] = copied(lines);
  }

  /** @param {string} wager @param {string} [letter] @returns {Lines} */
  printed(wager, letter = this.letters[wager]) {
    return this.book.wagers.find(({ name }) => name === wager).tables[letter];
  }

  /** @param {string} wager */
  linesOf(wager) {
    return this.lines[wager] ?? this.printed(wager);
  }

  /** @param {string} wager */
  paytableName(wager) {
    return this.lines[wager] ? `${this.letters[wager]} edited` : this.letters[wager];
  }

  // A side wager is counted by all its paytables at once, so its letter is asked for only where
  // lines of one's own begin with it.
  asked() {
    const named = this.book.wagers.filter(({ name, chosen }) => chosen || this.lines[name]);
    return {
      rulebook: this.rulebook,
      paytables: Object.fromEntries(named.map(({ name }) => [name, this.letters[name]])),
      lines: Object.fromEntries(
        Object.entries(this.lines).map(([name, lines]) => [
          name,
          lines.map(([phrase, pays]) => ({ for: phrase, pays })),
        ]),
      ),
      ...this.money(),
      ...(Object.keys(this.vary).length ? { vary: this.vary } : {}),
    };
  }

  // Amounts that are not as usual, of the paytables chosen.
  money() {
    const set = this.book.wagers
      .flatMap((wager) => this.fields(wager))
      .filter(({ key, usual }) => (this.amounts[key] ?? usual) !== usual);
    /** @param {Amount["kind"]} kind */
    const of = (kind) =>
      Object.fromEntries(
        set
          .filter((field) => field.kind === kind)
          .map(({ key, name }) => [name, this.amounts[key]]),
      );
    const { ante } = of("ante");
    return {
      stakes_cents: of("stake"),
      meters_cents: of("meter"),
      ...(ante ? { ante_cents: ante } : {}),
    };
  }

  /**
   * What a wager's value depends on beside its lines: its stake, and what stands on its meters. The
   * size of the Ante matters under a payout limit only; where it is left open, nothing is cut.
   * @param {Server.WagerWorth} wager
   * @returns {Amount[]}
   */
  fields({ name, staked, meters, least_ante }) {
    const letter = this.letters[name];
    if (!staked.includes(letter)) {
      const says = "Ante, under the payout limit";
      if (least_ante === null) return [];
      return [
        { kind: "ante", name: "ante", key: "ante.stake", says, usual: null, least: least_ante },
      ];
    }
    /** @type {Amount[]} */
    const held = Object.entries(meters[letter]).map(([meter, usual]) => ({
      kind: "meter",
      name: meter,
      key: `${name}.meter.${meter}`,
      says: meter === "main" ? "Meter" : `Meter ${meter}`,
      usual,
      least: 0,
    }));
    return [
      { kind: "stake", name, key: `${name}.stake`, says: "Stake", usual: 100, least: 1 },
      ...held,
    ];
  }

  get key() {
    return JSON.stringify(this.asked());
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), 250);
    this.onChange(this);
  }

  async check() {
    const number = ++this.checks;
    /** @type {Partial<Server.Design> & { sentence?: string }} */
    const told = Object.keys(this.lines).length
      ? await post("/api/analysis/check", this.asked())
      : { faults: [], files: {} };
    if (number === this.checks) this.mark(told.faults ?? [], told.files ?? {}, told.sentence ?? "");
  }

  /**
   * @param {Server.Fault[]} faults
   * @param {Server.Design["files"]} files
   * @param {string} sentence
   */
  mark(faults, files, sentence) {
    for (const editor of all("[data-wager]", this.form)) {
      const own = faults.filter(({ wager }) => wager === editor.dataset.wager);
      for (const row of all("[data-line]", editor)) {
        const wrong = own.some(({ line }) => line === Number(row.dataset.line));
        for (const input of row.querySelectorAll("input"))
          input.setAttribute("aria-invalid", String(wrong));
      }
      const said = own.map(
        (fault) => `${fault.line ? `Line ${fault.line}: ` : ""}${fault.sentence}.`,
      );
      editor.querySelector(".faults").textContent = said.join(" ") || sentence;
      this.offer(first(".file", editor, HTMLAnchorElement), files[editor.dataset.wager]);
    }
  }

  /** @param {HTMLAnchorElement} link @param {Record<string, string> | undefined} file */
  offer(link, file) {
    if (link.href) URL.revokeObjectURL(link.href);
    link.removeAttribute("href");
    link.setAttribute("aria-disabled", String(!file));
    for (const [name, text] of Object.entries(file ?? {})) {
      link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
      link.download = name;
    }
  }

  draw() {
    this.form
      .querySelector("datalist")
      .replaceChildren(...this.book.phrases.map((phrase) => el("option", { value: phrase })));
    this.form
      .querySelector(".wagers")
      .replaceChildren(...this.book.wagers.map((wager) => this.editor(wager)), this.variant());
    this.check();
  }

  // Rules said otherwise, as printed until something is written; the service says what is wrong.
  variant() {
    const fields = this.book.rules.map(({ name, means, values }) => {
      const input = el("input", {
        value: this.vary[name] ?? "",
        placeholder: "as printed",
        maxlength: 60,
        spellcheck: "false",
        title: `${means}: ${values}`,
        "aria-label": `${name}: ${means}; ${values}`,
        "data-vary": name,
      });
      input.addEventListener("input", () => {
        if (input.value.trim()) this.vary[name] = input.value.trim();
        else delete this.vary[name];
        this.changed();
      });
      return el("label", {}, `${name} `, input);
    });
    return el(
      "details",
      { class: "vary", open: Object.keys(this.vary).length > 0 },
      el("summary", {}, "Rules said otherwise"),
      el("p", { class: "amounts" }, ...fields),
    );
  }

  /** @param {Server.WagerWorth} wager */
  editor(wager) {
    const { name, title, tables } = wager;
    const letters = el(
      "select",
      { name: `table ${name}` },
      ...Object.keys(tables).map((letter) =>
        el("option", { selected: letter === this.letters[name] }, letter),
      ),
    );
    const made = el(
      "div",
      { class: "wager", "data-wager": name, "data-title": title },
      el("label", { class: "letter" }, el("span", {}, title), letters),
      el("p", { class: "amounts" }),
      this.details(name, title),
    );
    letters.addEventListener("change", () => {
      this.letters[name] = letters.value;
      delete this.lines[name];
      this.fill(made, name);
      this.ask(made, wager);
      this.changed();
    });
    this.fill(made, name);
    this.ask(made, wager);
    return made;
  }

  /** @param {string} name @param {string} title */
  details(name, title) {
    const add = () =>
      this.rewrite(name, (lines) => {
        lines.push(["", ""]);
        return lines.length;
      });
    const forget = () =>
      this.rewrite(name, () => {
        delete this.lines[name];
        return undefined;
      });
    const file = {
      class: "button quiet file",
      role: "link",
      "aria-disabled": "true",
      "aria-label": `${title} as a TOML file`,
    };
    return el(
      "details",
      {},
      el("summary", {}, "Lines ", el("b", { class: "named" })),
      el("div", { class: "lines-edited", role: "group", "aria-label": `Lines of ${title}` }),
      el("output", { class: "live", "aria-label": `${title}, as its lines stand` }),
      el(
        "p",
        { class: "links" },
        this.button("Add a line", add),
        this.button("As printed", forget, "printed"),
        el("a", file, "TOML"),
      ),
      el("p", { class: "faults no", role: "alert" }),
    );
  }

  /** @param {HTMLElement} editor @param {Server.WagerWorth} wager */
  ask(editor, wager) {
    editor.querySelector(".amounts").replaceChildren(
      ...this.fields(wager).map(({ key, says, usual, least }) => {
        const shown = () =>
          (this.amounts[key] ?? usual) === null ? "" : dollars(this.amounts[key] ?? usual);
        const input = el("input", {
          inputmode: "decimal",
          value: shown(),
          placeholder: usual === null ? "any" : null,
          maxlength: 15,
          "aria-label": `${wager.title}: ${says.toLowerCase()}, in dollars`,
          "data-amount": key,
        });
        input.addEventListener("input", () => {
          const cents = inCents(input.value);
          if (usual === null && !input.value.trim()) {
            delete this.amounts[key];
            input.setAttribute("aria-invalid", "false");
            this.changed();
            return;
          }
          input.setAttribute("aria-invalid", String(!(cents >= least)));
          if (cents >= least) {
            this.amounts[key] = cents;
            this.changed();
          }
        });
        input.addEventListener("change", () => {
          input.value = shown();
          input.setAttribute("aria-invalid", "false");
        });
        return el("label", {}, `${says} $`, input);
      }),
    );
  }

  /**
   * @param {string} text
   * @param {() => void} act
   * @param {string} [kind]
   * @param {string | null} [label]
   */
  button(text, act, kind = "add", label = null) {
    const made = el(
      "button",
      { type: "button", class: `quiet ${kind}`, "aria-label": label },
      text,
    );
    made.addEventListener("click", act);
    return made;
  }

  /**
   * A change of which lines there are; the focus goes to the line it leaves behind.
   * @param {string} name
   * @param {(lines: Lines) => number | undefined} change
   */
  rewrite(name, change) {
    const lines = copied(this.linesOf(name));
    const focus = change(lines);
    if (focus !== undefined) this.write(name, lines);
    const editor = first(`[data-wager="${name}"]`, this.form);
    this.fill(editor, name);
    const at = Math.max(1, Math.min(focus ?? 1, lines.length));
    first(`[data-line="${at}"] input`, editor)?.focus();
    this.changed();
  }

  /** @param {HTMLElement} editor @param {string} name */
  fill(editor, name) {
    const rows = this.linesOf(name).map((line, at) => this.row(name, line, at));
    editor.querySelector(".lines-edited").replaceChildren(...rows);
    this.entitle(editor, name);
  }

  /** @param {HTMLElement} editor @param {string} name */
  entitle(editor, name) {
    const edited = name in this.lines ? "edited" : "";
    editor.querySelector(".named").textContent = edited;
    editor
      .querySelector("summary")
      .setAttribute("aria-label", `Lines of ${editor.dataset.title} ${edited}`.trim());
    first(".printed", editor, HTMLButtonElement).disabled = !(name in this.lines);
  }

  /** @param {string} name @param {Lines[number]} line @param {number} at */
  row(name, [phrase, pays], at) {
    const number = at + 1;
    const inputs = [
      ["for", phrase, `phrases-${this.side}`],
      ["pays", pays, null],
    ].map(([part, value, list]) =>
      el("input", {
        class: part,
        value,
        list,
        maxlength: 200,
        spellcheck: "false",
        "aria-label": part === "for" ? `Line ${number}: paid for` : `Line ${number}: pays`,
      }),
    );
    const written = () => {
      const lines = copied(this.linesOf(name));
      inputs.forEach((input, part) => (lines[at][part] = input.value.trim()));
      this.write(name, lines);
      this.entitle(inputs[0].closest("[data-wager]"), name);
      this.changed();
    };
    const prices = slider(phrase, this.printed(name)[at]?.[1] ?? pays, pays, (odds) => {
      inputs[1].value = odds;
      written();
    });
    inputs.forEach((input) =>
      input.addEventListener("input", () => {
        const range = prices.querySelector("input"),
          now = price(inputs[1].value.trim());
        if (range && now) range.value = String(now.pays);
        written();
      }),
    );
    const lift = () =>
      this.rewrite(name, (lines) => {
        if (at) lines.splice(at - 1, 0, ...lines.splice(at, 1));
        return at;
      });
    const remove = () =>
      this.rewrite(name, (lines) => {
        lines.splice(at, 1);
        return number;
      });
    return el(
      "div",
      { class: "line-edited", "data-line": number },
      ...inputs,
      this.button("↑", lift, "up", `Move line ${number} up`),
      this.button("×", remove, "out", `Remove line ${number}`),
      prices,
    );
  }

  // What each wager is worth as its lines stand, by the last count: it holds whatever a line pays,
  // and no longer where anything else was changed. Of the base game one wager may be moved.
  live() {
    const asked = this.answer && JSON.parse(this.answer.key);
    const still = asked && this.beside(asked) === this.beside();
    /** @type {Partial<Solution["side_wagers"]>} */
    const counted = still ? this.answer.result.side_wagers : {};
    const moved = still ? this.movedBase(asked) : [];
    this.isRepriced = false;
    for (const editor of all("[data-wager]", this.form)) {
      const name = editor.dataset.wager,
        lines = this.linesOf(name),
        paid = still && asked.ante_cents === this.asked().ante_cents && this.answer.paid?.[name];
      if (!paid) {
        tell(editor, counted[name]?.[this.letters[name]], lines);
        continue;
      }
      const edge = this.answer.result.house_edge;
      const isAlone = moved.every((other) => other === name);
      const now = isAlone ? repricedBase(edge, paid, this.linesAsked(name, asked), lines) : null;
      tellBase(editor, now, now === null ? {} : paid, !moved.length);
      this.isRepriced ||= now !== null && moved.includes(name);
    }
  }

  /**
   * The wagers of the base game whose lines are not those that were counted.
   * @param {Asked} asked
   */
  movedBase(asked) {
    const now = this.asked();
    /** @param {string} name @param {Asked} choice */
    const written = (name, choice) => JSON.stringify(this.linesAsked(name, choice));
    return Object.keys(this.answer.paid ?? {}).filter(
      (name) => written(name, asked) !== written(name, now));
  }

  /** @param {string} name @param {Asked} asked @returns {Lines} */
  linesAsked(name, { lines = {}, paytables = {} }) {
    const letter = paytables[name] ?? this.letters[name];
    return lines[name]?.map((line) => [line.for, line.pays]) ?? this.printed(name, letter);
  }

  beside({ rulebook, vary = {}, stakes_cents, meters_cents } = this.asked()) {
    return JSON.stringify([rulebook, vary, stakes_cents, meters_cents]);
  }
}

/** @param {Lines} lines @returns {Lines} */
const copied = (lines) => lines.map(([phrase, pays]) => [phrase, pays]);

/** @param {number} cents */
const dollars = (cents) =>
  (cents / 100).toLocaleString("en-US", { minimumFractionDigits: cents % 100 ? 2 : 0 });

// Dollars as people write them, in cents; NaN where it is no amount.
/** @param {string} written */
function inCents(written) {
  const found = /^\s*\$?\s*(\d[\d,]*)(?:\.(\d{1,2}))?\s*$/.exec(written);
  return found
    ? Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"))
    : NaN;
}

// The whole choice as readable words of an address: a=UTH-S&a.trips=C&a.trips.line=flush: 7 to 1,
// and for the amounts a.six_card_bonus.stake=5&a.progressive.meter.mega=25,000. Rules said
// otherwise are a.vary.tie=lose

/** @param {Choice} choice @param {string} side */
export function addressWords(choice, side) {
  const words = [[side, choice.rulebook]];
  for (const [name, value] of Object.entries(choice.vary))
    words.push([`${side}.vary.${name}`, value]);
  for (const wager of choice.book.wagers) {
    const { name, tables } = wager;
    for (const { key, usual } of choice.fields(wager))
      if ((choice.amounts[key] ?? usual) !== usual)
        words.push([`${side}.${key}`, dollars(choice.amounts[key])]);
    if (choice.lines[name] || choice.letters[name] !== Object.keys(tables)[0])
      words.push([`${side}.${name}`, choice.letters[name]]);
    if (choice.lines[name]) {
      for (const line of choice.lines[name]) words.push([`${side}.${name}.line`, line.join(": ")]);
      if (!choice.lines[name].length) words.push([`${side}.${name}.line`, ""]);
    }
  }
  return words;
}

// The first word of an address that means nothing here, with its value; undefined where all mean
// something. A rulebook that is not here is told by whoever reads its side.
/** @param {URLSearchParams} words @param {Books} books */
export function strange(words, books) {
  /** @type {(key: string, value: string) => (wager: Server.WagerWorth) => boolean} */
  const means =
    (key, value) =>
    ({ name, tables, meters }) => {
      const held = Object.values(meters).flatMap((of) =>
        Object.keys(of).map((meter) => `${name}.meter.${meter}`),
      );
      if (key === name) return value in tables;
      return (
        key === `${name}.line` || ([`${name}.stake`, ...held].includes(key) && inCents(value) >= 0)
      );
    };
  return [...words].find(([word, value]) => {
    const [, side, key] = /^([ab])(?:\.(.+))?$/.exec(word) ?? [];
    const book = books[words.get(side)];
    const varied = book?.rules.some(({ name }) => key === `vary.${name}`);
    return !side || (key && book && !varied && !book.wagers.some(means(key, value)));
  });
}

/**
 * @param {URLSearchParams} words
 * @param {string} side
 * @param {Books} books
 * @returns {Chosen | null}
 */
export function readable(words, side, books) {
  const rulebook = words.get(side);
  if (!(rulebook in books)) return null;
  /** @type {Required<Chosen>} */
  const chosen = { rulebook, letters: {}, lines: {}, amounts: {}, vary: {} };
  for (const [word, value] of words) {
    const key = word.startsWith(`${side}.`) ? word.slice(side.length + 1) : "";
    if (key.startsWith("vary.")) chosen.vary[key.slice(5)] = value;
    if (/\.(stake$|meter\.)/.test(key) && inCents(value) >= 0) chosen.amounts[key] = inCents(value);
  }
  for (const { name } of books[rulebook].wagers) {
    if (words.has(`${side}.${name}`)) chosen.letters[name] = words.get(`${side}.${name}`);
    const own = words.getAll(`${side}.${name}.line`);
    if (own.length)
      chosen.lines[name] = own
        .filter((line) => line)
        .map((line) => {
          const at = line.lastIndexOf(": ");
          return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 2)];
        });
  }
  return chosen;
}
