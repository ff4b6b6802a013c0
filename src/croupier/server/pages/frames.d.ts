// What the server sends to pages, written from its structs by `make pages`.

declare namespace Server {
  interface Call {
    at_s: number;
    by?: string;
    reason?: string;
  }

  interface LineView {
    wager: string;
    outcome: string;
    stake_cents: number;
    paid_cents?: number;
    returned_cents?: number;
    odds?: string | null;
    shows?: string;
    clause?: string;
    pending?: boolean;
  }

  interface BoxView {
    seat: number;
    player?: string;
    stakes?: Record<string, number>;
    chips_cents?: number;
    light?: boolean;
    cards?: string[];
    folded?: boolean;
    away?: string;
    net_cents?: number | null;
    lines?: LineView[];
  }

  interface Option {
    do: string;
    box?: number;
    cents?: number[];
    wagers?: string[];
    names?: string[];
    cards?: number;
    color?: string;
    by_device?: boolean;
    due?: boolean;
    may_uphold?: boolean;
    sizes?: Record<string, [number, number, number]>;
  }

  interface View {
    rulebook: string;
    round: number;
    phase: "acting" | "betting" | "clearing" | "dealing" | "revealing" | "settling";
    way: string;
    clause: string;
    turn?: number;
    waits_for?: string;
    waits_reason?: string;
    refusal?: [string, string] | null;
    call?: Call | null;
    boxes?: BoxView[];
    places?: Record<string, string[]>;
    set_aside?: string[];
    meters?: Record<string, number>;
    training?: boolean;
    decks?: Record<string, string>;
    change_at_s?: Record<string, number>;
    uncounted?: number;
    devices?: Record<string, string>;
    unavailable?: Record<string, string>;
    may?: Option[];
  }

  interface Frame {
    table: string;
    version: number;
    view: View;
    seconds_left?: number | null;
    commitment?: string;
  }

  interface Meters {
    table: string;
    meters: Record<string, number>;
  }

  interface PracticeSettings {
    pace: "at once" | "brisk" | "calm";
    seats: number;
    others: "bold" | "late" | "optimal" | "simple";
    coach: "after" | "before" | "off";
  }

  interface Worth {
    action: string;
    antes: number;
    exact: string;
  }

  interface Advice {
    street: string;
    only?: string;
    worths?: Worth[];
    chosen?: string;
    cost_antes?: number;
    cost_cents?: number;
    ready?: boolean;
  }

  interface RoundResult {
    round: number;
    net_cents: number;
    staked_cents: number;
    hand: string;
    dealer: string;
    cards: string[];
    lines: LineView[];
  }

  interface PracticeRoom {
    settings: PracticeSettings;
    waits: "" | "wagers" | "you";
    skipping: boolean;
    heard: string[];
    holds: string;
    hands: Record<string, string>;
    advice: Advice | null;
    mistakes_cents: number;
    evening: RoundResult[];
  }

  interface PracticeFrame {
    table: string;
    version: number;
    view: View;
    room: PracticeRoom;
  }

  interface Reply {
    outcome: "done" | "forbidden" | "not admitted" | "not found" | "refused" | "stale" | "too many" | "unavailable" | "unreadable";
    id?: string;
    version?: number;
    again?: boolean;
    sentence?: string;
    clause?: string;
  }

  interface WagerFacts {
    name: string;
    title: string;
    clause: string;
    key: string;
    least: number;
    most: number;
    step: number;
    optional: boolean;
    looks: string;
    equals: string | null;
    decides: string | null;
    offered: boolean;
  }

  interface StreetFacts {
    name: string;
    otherwise: string;
    sizes: number[];
    clause: string;
  }

  interface StepFacts {
    to: string;
    deal: number;
    turn: number;
    says: string;
  }

  interface PayFacts {
    title: string;
    wager: string;
    clause: string;
    lines: [string, string, string][];
  }

  interface AreaFacts {
    place: string;
    kind: string;
    box: number | null;
    wager: string | null;
    x: number;
    y: number;
    turn: number;
    wide: number;
    tall: number;
    cards: [number, number][];
  }

  interface MishapFacts {
    happens: string;
    remedy: string;
    clause: string;
    ruling: number;
    finds: boolean;
    calls: boolean;
    again: [string, string][];
  }

  interface OpeningStep {
    stage: string;
    says: string;
    clause: string;
  }

  interface CountFacts {
    rounds: number;
    clause: string;
    right: string;
    misdealt: string;
    wrong: string;
  }

  interface Handling {
    cards: number;
    opening: OpeningStep[];
    cut: [number, number];
    cut_clause: string;
    counts: Record<string, CountFacts>;
    hours: Record<string, [number, string]>;
    finds: string;
    two_decks: string;
  }

  interface TableFacts {
    table: string;
    title: string;
    game: string;
    rulebook: string;
    edition: string;
    facility: string;
    idea: string;
    steps: string[];
    wins: string[];
    ranking: string[];
    needs: [string, string[]][];
    boxes: number;
    meters: string[];
    practice: boolean;
    training: boolean;
    opening: string[];
    any_of: string[];
    wagers: WagerFacts[];
    streets: StreetFacts[];
    deals: Record<string, StepFacts[]>;
    pays: PayFacts[];
    says: [string, string][];
    places: Record<string, string>;
    hand: number;
    areas: AreaFacts[];
    mishaps: Record<string, MishapFacts>;
    causes: Record<string, string>;
    handling: Handling | null;
  }

  interface Lying {
    at: string;
    place: string;
    box: number;
    nth: number;
  }

  interface Accident {
    name: string;
    shows: Lying[];
  }

  interface ReplayStep {
    event: string;
    says: string;
    at_us: number;
    by: string;
    role: string;
    clauses: string[];
    rulings: number[];
    data: Record<string, any>;
    version: number;
    previous: string;
    hash: string;
    proved: boolean;
    view: View;
  }

  interface Position {
    street: string;
    own: string[];
    board: string[];
    up: string;
  }

  interface Drill {
    id: string;
    position: Position;
  }

  interface Ruling {
    number: number;
    title: string;
    says: string;
    clauses: string[];
  }

  interface Why {
    clause: string;
    means: string;
    rulings: Ruling[];
  }

  interface Jackpot {
    box: number;
    meter: string;
    cents: number;
    standing: string;
  }

  interface RoundShown {
    round: number;
    status: string;
    began_at: string;
    ended_at: string;
    boxes: number;
    wagered_cents: number;
    won_cents: number;
    jackpots: Jackpot[];
  }

  interface TableSummary {
    name: string;
    rulebook: string;
    game: string;
    round: number;
    seats: Record<string, string>;
    boxes: number;
    link: string;
    practice: boolean;
    training: boolean;
  }

  interface PersonShown {
    name: string;
    role: "administrator" | "auditor" | "dealer" | "floorperson" | "manager" | "player" | "surveillance";
    barred: boolean;
  }

  interface LinkShown {
    name: string;
    meters: Record<string, number>;
    tables: string[];
    closed: string;
  }

  interface AccessLine {
    at_us: number;
    name: string;
    outcome: string;
    address: string;
  }

  interface WagerWorth {
    name: string;
    title: string;
    chosen: boolean;
    side: boolean;
    tables: Record<string, [string, string][]>;
    meters: Record<string, Record<string, number>>;
    staked: string[];
    least_ante: number | null;
  }

  interface BookWorth {
    title: string;
    wagers: WagerWorth[];
    phrases: string[];
  }
}
