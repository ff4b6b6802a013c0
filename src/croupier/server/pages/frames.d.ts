// What the server sends to pages, written from its structs by `make pages`.

declare namespace Server {
  interface Call {
    at_s: number;
    by?: string;
    reason?: string;
  }

  interface Lock {
    at_s: number;
    reason: string;
    by?: string;
  }

  interface Dispute {
    number: number;
    round: number;
    box: number;
    player: string;
    at_s: number;
    reason: string;
    wager?: string;
    by?: string;
  }

  interface RequestView {
    act: string;
    by: string;
    box?: number;
    cents?: number;
  }

  interface LineView {
    box: number;
    wager: string;
    stake_cents: number;
    outcome: "win" | "push" | "lose" | "forfeit" | "returned";
    odds?: string | null;
    paid_cents?: number;
    returned_cents?: number;
    clause?: string;
    rulings?: number[];
    shows?: string;
    hand?: string;
    dealer_hand?: string;
    outside?: boolean;
    meter?: string | null;
    meter_before_micros?: number;
    meter_after_micros?: number;
    reset_cents?: number;
    holder?: number | null;
    pending?: boolean;
  }

  interface BoxView {
    seat: number;
    player?: string;
    left?: boolean;
    stakes?: Record<string, number>;
    chips_cents?: number;
    light?: boolean;
    cards?: string[];
    folded?: boolean;
    away?: string;
    asked_cents?: number;
    bought_cents?: number;
    cashed_cents?: number;
    net_cents?: number | null;
    number?: string;
    ready?: boolean;
    lines?: LineView[];
  }

  interface Option {
    do: string;
    box?: number;
    cents?: number[];
    wagers?: string[];
    names?: string[];
    cards?: number;
    hands?: Record<string, number>;
    again?: string[];
    number?: number;
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
    over?: number;
    turn?: number;
    waits_for?: string;
    waits_reason?: string;
    refusal?: [string, string] | null;
    call?: Call | null;
    lock?: Lock | null;
    disputes?: Dispute[];
    requests?: RequestView[];
    kept_cents?: number;
    boxes?: BoxView[];
    places?: Record<string, string[]>;
    set_aside?: string[];
    meters?: Record<string, number>;
    training?: boolean;
    takes_numbers?: boolean;
    unshown?: Record<string, number>;
    unopened?: number;
    decks?: Record<string, string>;
    opening?: Record<string, number>;
    change_at_s?: Record<string, number>;
    overdue?: string[];
    deck_waits?: [string, string] | null;
    uncounted?: number;
    devices?: Record<string, string>;
    unavailable?: Record<string, string>;
    may?: Option[];
  }

  interface TableOpened {
    event: "table-opened";
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckReceived {
    event: "deck-received";
    color: string;
    preshuffled: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckInspected {
    event: "deck-inspected";
    color: string;
    cover_cards: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface InspectionVerified {
    event: "inspection-verified";
    color: string;
    by: string;
    shoe_in_place: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckSpread {
    event: "deck-spread";
    color: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckWashed {
    event: "deck-washed";
    color: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckStacked {
    event: "deck-stacked";
    color: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckRemoved {
    event: "deck-removed";
    color: string;
    why: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckShuffled {
    event: "deck-shuffled";
    color: string;
    by_device: boolean;
    needs_cut: boolean;
    found: number | null;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ShuffleOrdered {
    event: "shuffle-ordered";
    color: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeckCut {
    event: "deck-cut";
    color: string;
    cards: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface RecutOrdered {
    event: "recut-ordered";
    color: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface TableIdle {
    event: "table-idle";
    face_up: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface BoxTaken {
    event: "box-taken";
    box: number;
    player: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface BoxLeft {
    event: "box-left";
    box: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipsBought {
    event: "chips-bought";
    box: number;
    cents: number;
    taken: "cash" | "chips" | "practice" | "voucher";
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipsCashed {
    event: "chips-cashed";
    box: number;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipsKept {
    event: "chips-kept";
    box: number;
    player: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface KeptReturned {
    event: "kept-returned";
    box: number;
    player: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface KeptPaid {
    event: "kept-paid";
    player: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DropCounted {
    event: "drop-counted";
    found: Record<string, number>;
    due: Record<string, number>;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface TipGiven {
    event: "tip-given";
    box: number;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface WagerPlaced {
    event: "wager-placed";
    box: number;
    wager: string;
    cents: number;
    before_cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface NumberCommitted {
    event: "number-committed";
    box: number;
    number_hash: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface NumberShown {
    event: "number-shown";
    box: number;
    number: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface NumberMissing {
    event: "number-missing";
    box: number;
    player: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface WagerWithdrawn {
    event: "wager-withdrawn";
    box: number;
    wager: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ReadySaid {
    event: "ready-said";
    box: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ProgressiveAccepted {
    event: "progressive-accepted";
    box: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface BetsClosed {
    event: "bets-closed";
    round: number;
    way: string;
    boxes: number[];
    color: string;
    device: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface MeterGrew {
    event: "meter-grew";
    meter: string;
    by_micros: number;
    reading_micros: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipReturned {
    event: "chip-returned";
    box: number;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface AcceptanceCancelled {
    event: "acceptance-cancelled";
    box: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ProgressiveCollected {
    event: "progressive-collected";
    boxes: number[];
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface Lie {
    place: string;
    cards: string[];
    box: number;
  }

  interface CardsDealt {
    event: "cards-dealt";
    step: number;
    lies: Lie[];
    face_up: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface CardsTurned {
    event: "cards-turned";
    step: number;
    place: string;
    cards: string[];
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface Checked {
    event: "checked";
    box: number;
    street: string;
    defaulted: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface Played {
    event: "played";
    box: number;
    street: string;
    wager: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface Folded {
    event: "folded";
    box: number;
    street: string;
    keeps_cards: boolean;
    defaulted: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface WagerForfeited {
    event: "wager-forfeited";
    box: number;
    wager: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface StubCounted {
    event: "stub-counted";
    stub: number;
    on_table: number;
    right: boolean;
    color: string;
    hands: Record<string, number>;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DealerRevealed {
    event: "dealer-revealed";
    cards: string[];
    hand: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface PlaceTurned {
    event: "place-turned";
    place: string;
    cards: string[];
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface BoxTurned {
    event: "box-turned";
    box: number;
    cards: string[];
    hand: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface WagerSettled {
    event: "wager-settled";
    box: number;
    wager: string;
    stake_cents: number;
    outcome: "win" | "push" | "lose" | "forfeit" | "returned";
    odds: string | null;
    paid_cents: number;
    returned_cents: number;
    clause: string;
    rulings: number[];
    shows: string;
    hand: string;
    dealer_hand: string;
    outside: boolean;
    meter: string | null;
    meter_before_micros: number;
    meter_after_micros: number;
    reset_cents: number;
    holder: number | null;
    at_s: number;
  }

  interface BoxSettled {
    event: "box-settled";
    box: number;
    net_cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ProgressiveWon {
    event: "progressive-won";
    box: number;
    stake_cents: number;
    cents: number;
    odds: string;
    shows: string;
    meter: string | null;
    reading_micros: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ProgressiveValidated {
    event: "progressive-validated";
    box: number;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface RefusalProposed {
    event: "refusal-proposed";
    box: number;
    reason: "hand" | "wager";
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface RefusalSentBack {
    event: "refusal-sent-back";
    box: number;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ProgressiveRefused {
    event: "progressive-refused";
    box: number;
    reason: "hand" | "wager";
    by: string;
    proposed_by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface PaperworkRecorded {
    event: "paperwork-recorded";
    box: number;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface CardsCleared {
    event: "cards-cleared";
    round: number;
    next_color: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface IrregularityDeclared {
    event: "irregularity-declared";
    name: string;
    effect: string;
    waits: boolean;
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    reason: string;
    cards: string[];
    exposed: string[];
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface IrregularityConfirmed {
    event: "irregularity-confirmed";
    name: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface IrregularityDismissed {
    event: "irregularity-dismissed";
    name: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface FloorCalled {
    event: "floor-called";
    by: string;
    reason: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface FloorAnswered {
    event: "floor-answered";
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface RoundVoided {
    event: "round-voided";
    name: string;
    reason: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface RoundSalvaged {
    event: "round-salvaged";
    name: string;
    still_settles: string[];
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface LineReversed {
    event: "line-reversed";
    box: number;
    wager: string;
    stake_cents: number;
    cents: number;
    meter: string | null;
    reading_micros: number;
    reset_cents: number;
    swept: boolean;
    outside: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface WagerReturned {
    event: "wager-returned";
    box: number;
    wager: string;
    cents: number;
    from_house: boolean;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface MeterShrank {
    event: "meter-shrank";
    meter: string;
    by_micros: number;
    borne_micros: number;
    reading_micros: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface BuyIn {
    do: "buy-in";
    box: number;
    cents: number;
    taken: "cash" | "chips" | "practice" | "voucher";
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface CashOut {
    do: "cash-out";
    box: number;
    cents: number | null;
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface PayKept {
    do: "pay-kept";
    player: string;
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface CountDrop {
    do: "count-drop";
    found: Record<string, number>;
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface RuleOnAbsence {
    do: "rule-on-absence";
    box: number;
    outcome: "abandoned" | "back" | "default" | null;
    here: boolean;
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface UnlockTable {
    do: "unlock-table";
    reason: string;
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface EndDispute {
    do: "end-dispute";
    number: number;
    outcome: "corrected" | "stands" | "void";
    note: string;
    cents: number;
    to: "house" | "player";
    by: string;
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    at_s: number;
  }

  interface SecondAsked {
    event: "second-asked";
    box: number;
    act: "abandon" | "buy-in" | "cash-out" | "clock" | "correct" | "count-drop" | "free-box" | "irregularity" | "keys" | "link" | "lock" | "pay-kept" | "program" | "refuse-win" | "staff" | "table" | "unlock" | "void";
    cents: number;
    began: BuyIn | CashOut | PayKept | CountDrop | RuleOnAbsence | UnlockTable | EndDispute;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface SecondDenied {
    event: "second-denied";
    box: number;
    act: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface PowerUsed {
    event: "power-used";
    box: number;
    act: string;
    by: string;
    second: string;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface TableLocked {
    event: "table-locked";
    reason: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface TableUnlocked {
    event: "table-unlocked";
    reason: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DisputeOpened {
    event: "dispute-opened";
    box: number;
    number: number;
    round: number;
    player: string;
    by: string;
    reason: string;
    wager: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ShortfallPaid {
    event: "shortfall-paid";
    box: number;
    number: number;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface OverpaymentTaken {
    event: "overpayment-taken";
    box: number;
    number: number;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DisputeEnded {
    event: "dispute-ended";
    box: number;
    number: number;
    outcome: "corrected" | "stands" | "void";
    note: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipsAsked {
    event: "chips-asked";
    box: number;
    cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipsDeclined {
    event: "chips-declined";
    box: number;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface ChipsAcknowledged {
    event: "chips-acknowledged";
    box: number;
    bought_cents: number;
    cashed_cents: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface PlayerLeft {
    event: "player-left";
    box: number;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface AbsenceRuled {
    event: "absence-ruled";
    box: number;
    outcome: string;
    by: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeviceFailed {
    event: "device-failed";
    device: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeviceCovered {
    event: "device-covered";
    device: string;
    how: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface DeviceRestored {
    event: "device-restored";
    device: string;
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface WayChanged {
    event: "way-changed";
    way: string;
    suspended: string[];
    clauses: string[];
    rulings: number[];
    at_s: number;
  }

  interface Due {
    role: "dealer" | "device" | "floorperson" | "manager" | "player";
    do?: string[];
    box?: number;
    street?: string;
    color?: string;
    until_s?: number;
  }

  interface Frame {
    table: string;
    version: number;
    view: View;
    since: number;
    events: (TableOpened | DeckReceived | DeckInspected | InspectionVerified | DeckSpread | DeckWashed | DeckStacked | DeckRemoved | DeckShuffled | ShuffleOrdered | DeckCut | RecutOrdered | TableIdle | BoxTaken | BoxLeft | ChipsBought | ChipsCashed | ChipsKept | KeptReturned | KeptPaid | DropCounted | TipGiven | WagerPlaced | NumberCommitted | NumberShown | NumberMissing | WagerWithdrawn | ReadySaid | ProgressiveAccepted | BetsClosed | MeterGrew | ChipReturned | AcceptanceCancelled | ProgressiveCollected | CardsDealt | CardsTurned | Checked | Played | Folded | WagerForfeited | StubCounted | DealerRevealed | PlaceTurned | BoxTurned | WagerSettled | BoxSettled | ProgressiveWon | ProgressiveValidated | RefusalProposed | RefusalSentBack | ProgressiveRefused | PaperworkRecorded | CardsCleared | IrregularityDeclared | IrregularityConfirmed | IrregularityDismissed | FloorCalled | FloorAnswered | RoundVoided | RoundSalvaged | LineReversed | WagerReturned | MeterShrank | SecondAsked | SecondDenied | PowerUsed | TableLocked | TableUnlocked | DisputeOpened | ShortfallPaid | OverpaymentTaken | DisputeEnded | ChipsAsked | ChipsDeclined | ChipsAcknowledged | PlayerLeft | AbsenceRuled | DeviceFailed | DeviceCovered | DeviceRestored | WayChanged)[];
    due?: Due | null;
    seconds_left?: number | null;
    commitment?: string;
  }

  interface MetersFrame {
    table: string;
    meters: Record<string, number>;
  }

  interface PracticeSettings {
    pace: "at once" | "brisk" | "calm";
    seats: number;
    others: "bold" | "late" | "optimal" | "simple";
    coach: "after" | "before" | "off";
    level: "brief" | "everything" | "reasons";
  }

  interface Worth {
    action: string;
    antes: number;
    exact: string;
  }

  interface Explanation {
    words: string[];
    strategy: string;
    rules: string[];
    deciding: number;
    cell: string;
  }

  interface Advice {
    street: string;
    only?: string;
    worths?: Worth[];
    chosen?: string;
    cost_antes?: number;
    cost_cents?: number;
    ready?: boolean;
    why?: Explanation | null;
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

  interface OwnLimits {
    minutes: number;
    loss_cents: number;
  }

  interface CareShown {
    minutes: number;
    rounds: number;
    staked_cents: number;
    net_cents: number;
    limits: OwnLimits;
    reminder: string;
    reached: string;
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
    mattered: string;
    short_cents: number;
    winning: string[];
    evening: RoundResult[];
    care: CareShown;
  }

  interface PracticeFrame {
    table: string;
    version: number;
    view: View;
    since: number;
    events: (TableOpened | DeckReceived | DeckInspected | InspectionVerified | DeckSpread | DeckWashed | DeckStacked | DeckRemoved | DeckShuffled | ShuffleOrdered | DeckCut | RecutOrdered | TableIdle | BoxTaken | BoxLeft | ChipsBought | ChipsCashed | ChipsKept | KeptReturned | KeptPaid | DropCounted | TipGiven | WagerPlaced | NumberCommitted | NumberShown | NumberMissing | WagerWithdrawn | ReadySaid | ProgressiveAccepted | BetsClosed | MeterGrew | ChipReturned | AcceptanceCancelled | ProgressiveCollected | CardsDealt | CardsTurned | Checked | Played | Folded | WagerForfeited | StubCounted | DealerRevealed | PlaceTurned | BoxTurned | WagerSettled | BoxSettled | ProgressiveWon | ProgressiveValidated | RefusalProposed | RefusalSentBack | ProgressiveRefused | PaperworkRecorded | CardsCleared | IrregularityDeclared | IrregularityConfirmed | IrregularityDismissed | FloorCalled | FloorAnswered | RoundVoided | RoundSalvaged | LineReversed | WagerReturned | MeterShrank | SecondAsked | SecondDenied | PowerUsed | TableLocked | TableUnlocked | DisputeOpened | ShortfallPaid | OverpaymentTaken | DisputeEnded | ChipsAsked | ChipsDeclined | ChipsAcknowledged | PlayerLeft | AbsenceRuled | DeviceFailed | DeviceCovered | DeviceRestored | WayChanged)[];
    due: Due | null;
    room: PracticeRoom;
  }

  interface Reply {
    outcome: "code needed" | "done" | "forbidden" | "not admitted" | "not enrolled" | "not found" | "refused" | "stale" | "too many" | "unavailable" | "unreadable";
    id?: string;
    version?: number;
    again?: boolean;
    sentence?: string;
    clause?: string;
    repeat?: boolean;
    wait_s?: number;
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
    beside: string | null;
    brings: string | null;
    offered: boolean;
  }

  interface StreetFacts {
    name: string;
    wager: string;
    otherwise: string;
    sizes: number[];
    clause: string;
  }

  interface StepFacts {
    to: string;
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

  interface IrregularityFacts {
    happens: string;
    remedy: string;
    clause: string;
    ruling: number;
    finds: boolean;
    calls: boolean;
    again: [string, string][];
  }

  interface OpeningStep {
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
    examples: [string, string[]][];
    needs: [string, string[]][];
    boxes: number;
    meters: string[];
    home: boolean;
    practice: boolean;
    training: boolean;
    opens: string[][];
    wagers: WagerFacts[];
    streets: StreetFacts[];
    deals: Record<string, StepFacts[]>;
    pays: PayFacts[];
    says: [string, string][];
    places: Record<string, string>;
    hand: number;
    absence: string;
    areas: AreaFacts[];
    irregularities: Record<string, IrregularityFacts>;
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
    known: string[];
    dead: string[];
  }

  interface DrillScore {
    hands: number;
    right: number;
    seconds: number;
    cost_antes: number;
    streak: number;
  }

  interface Drill {
    id: string;
    position: Position;
    again: string;
    score: DrillScore;
    leaks: string[];
  }

  interface DrillResult {
    worths: Worth[];
    why: Explanation | null;
    score: DrillScore;
    leaks: string[];
  }

  interface HandAnswer {
    street: string;
    worths: Worth[];
    why: Explanation | null;
  }

  interface CardPlace {
    name: string;
    title: string;
    counts: number[];
  }

  interface ChartRow {
    name: string;
    cells: [string, string][];
  }

  interface StrategyChart {
    title: string;
    says: string;
    columns: string[];
    rows: ChartRow[];
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

  interface DecisionTally {
    decisions: number;
    right: number;
    cost_cents: number;
  }

  interface PlayedSession {
    began_us: number;
    ended_us: number;
    rounds: number;
    staked_cents: number;
    net_cents: number;
    tally: DecisionTally;
  }

  interface KindTally {
    best: string;
    tally: DecisionTally;
    trend: DecisionTally[];
  }

  interface StreetTally {
    rulebook: string;
    title: string;
    street: string;
    tally: DecisionTally;
    trend: DecisionTally[];
    kinds: KindTally[];
  }

  interface Mistake {
    table: string;
    title: string;
    round: number;
    decision: number;
    at_us: number;
    seen: Position;
    chosen: string;
    best: string;
    cost_antes: number;
    cost_cents: number;
  }

  interface RoundSum {
    table: string;
    title: string;
    round: number;
    at_us: number;
    cards: string[];
    hand: string;
    dealer_hand: string;
    staked_cents: number;
    net_cents: number;
    cost_cents: number;
  }

  interface RecordSummary {
    rounds: number;
    staked_cents: number;
    net_cents: number;
    tally: DecisionTally;
    uncounted: number;
    bankroll: number[];
    sessions: PlayedSession[];
    sessions_before: number;
    streets: StreetTally[];
    mistakes: Mistake[];
    best: RoundSum[];
    worst: RoundSum[];
    latest: RoundSum[];
  }

  interface PlayedDecision {
    seen: Position;
    offered: string[];
    chosen: string;
    ante_cents: number;
    worths: Worth[];
  }

  interface PlayedRound {
    table: string;
    rulebook: string;
    round: number;
    at_us: number;
    net_cents: number;
    staked_cents: number;
    cards: string[];
    board: string[];
    dealer: string[];
    hand: string;
    dealer_hand: string;
    lines: LineView[];
    decisions: PlayedDecision[];
  }

  interface RoundTold {
    played: PlayedRound;
    why: (Explanation | null)[];
    winning: string[];
    before: number;
    after: number;
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
    waiting: string[];
    boxes: number;
    link: string;
    home: boolean;
    practice: boolean;
    training: boolean;
  }

  interface PersonShown {
    name: string;
    role: "administrator" | "auditor" | "dealer" | "floorperson" | "manager" | "player" | "surveillance";
    barred: boolean;
    tables?: string[] | null;
    code?: boolean;
    code_required?: boolean;
    waits?: boolean;
  }

  interface LoginShown {
    mark: string;
    name: string;
    role: "administrator" | "auditor" | "dealer" | "floorperson" | "manager" | "player" | "surveillance";
    address: string;
    since_us: number;
    touched_us: number;
    locked: boolean;
    yours: boolean;
  }

  interface GuestShown {
    name: string;
    box: string;
    removed: boolean;
  }

  interface QrLink {
    link: string;
    picture: string;
  }

  interface LinkShown {
    name: string;
    meters: Record<string, number>;
    tables: string[];
    closed: string;
  }

  interface Recording {
    at_us: number;
    table_name: string;
    round: number;
    box: number;
    player: string;
    amount_cents: number;
    staked_cents: number;
    net_cents: number;
    outcome: string;
    hand: string;
    wagers: string[];
    irregularities: string[];
  }

  interface RecordingsFound {
    found: Recording[];
    behind: boolean;
  }

  interface CaseShown {
    number: number;
    round: number;
    box: number;
    player: string;
    reason: string;
    opened_by: string;
    opened_at: string;
    state: string;
    wager?: string;
    note?: string;
    ended_by?: string;
    ended_at?: string;
    moved_cents?: number;
    seconded_by?: string;
  }

  interface WagerRecord {
    wager: string;
    cents: number;
    at_us?: number;
  }

  interface DecisionRecord {
    street: string;
    action: "check" | "fold" | "play";
    wager?: string;
    cents?: number;
    at_us?: number;
    by?: string;
    defaulted?: boolean;
  }

  interface BoxShown {
    seat: number;
    player: string;
    wagered_cents: number;
    won_cents: number;
    chips_before_cents: number | null;
    chips_after_cents: number | null;
    wagers: WagerRecord[];
    decisions: DecisionRecord[];
  }

  interface WagerEvidence {
    wager: string;
    stake_cents: number;
    shows: string;
    outcome: string;
    odds: string;
    clause: string;
    due_cents: number | null;
    paid_cents: number | null;
  }

  interface EventEvidence {
    at: string;
    by: string;
    role: string;
    event: string;
    says: string;
    clauses: string[];
    line: number;
    hash: string;
  }

  interface DisputeEvidence {
    format: string;
    ledger: string;
    table: string;
    rulebook: string;
    case: CaseShown;
    box: BoxShown | null;
    cards: Record<string, string[]>;
    wagers: WagerEvidence[];
    events: EventEvidence[];
    proof: any | null;
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

  interface RuleChoice {
    name: string;
    means: string;
    values: string;
  }

  interface KnowledgeChoice {
    name: string;
    says: string;
  }

  interface BookWorth {
    title: string;
    wagers: WagerWorth[];
    phrases: string[];
    rules: RuleChoice[];
    knows: KnowledgeChoice[];
  }

  interface FieldChoice {
    value: string;
    label: string;
    says?: string;
    earns?: string;
    clause?: string;
  }

  interface FormField {
    key: string;
    label: string;
    kind: "amount" | "choice" | "choices" | "count" | "date" | "flag" | "percent" | "text" | "texts";
    value?: string | string[];
    allows?: string;
    asks?: string;
    clause?: string;
    choices?: FieldChoice[];
    required?: boolean;
    most?: number;
  }

  interface FormGroup {
    title: string;
    fields?: FormField[];
    says?: string;
    clause?: string;
    key?: string;
    optional?: boolean;
    offered?: boolean;
  }

  interface FormSection {
    name: string;
    title: string;
    groups: FormGroup[];
  }

  interface DeskFinding {
    severity: "error" | "warning";
    sentence: string;
    clause: string;
    means: string;
    ruling: number;
    line: number;
    field: string;
    stray: string;
  }

  interface EarningLine {
    title: string;
    stake: string;
    edge: string;
    deviation: string;
    hold: string;
  }

  interface Earnings {
    sentence?: string;
    counts?: boolean;
    lines?: EarningLine[];
    assumes?: string;
    player?: [string, string][];
    house?: [string, string][];
  }

  interface DeskState {
    text: string;
    valid: boolean;
    rulebook: string;
    file: string;
    sections: FormSection[];
    findings: DeskFinding[];
    earnings: Earnings;
  }

  interface Preview {
    svg?: string;
    html?: string;
  }

  interface DeskJob {
    id: string;
    standing: "canceled" | "done" | "failed" | "running" | "waiting";
    sentence: string;
    doing: string;
    done: number;
    files: string[];
  }

  interface ComparedRow {
    what: string;
    first: string;
    second: string;
    clauses: string[];
  }

  interface Comparison {
    first: string;
    second: string;
    player: ComparedRow[];
    house: ComparedRow[];
    rules: ComparedRow[];
    findings: ComparedRow[];
  }

  interface Admitted {
    name: string;
    role: "administrator" | "auditor" | "dealer" | "floorperson" | "manager" | "player" | "surveillance";
    token: string;
  }

  interface Enrolment {
    secret: string;
    uri: string;
  }

  interface WaitingShown {
    name: string;
    change: string;
    by: string;
    at_us: number;
    role?: "administrator" | "auditor" | "dealer" | "floorperson" | "manager" | "player" | "surveillance" | null;
    tables?: string[] | null;
  }

  interface ActShown {
    act: "link" | "table";
    name: string;
    what: string;
    by: string;
    submission?: string;
  }

  interface AnalysisShown {
    id: string;
    standing: "canceled" | "done" | "failed" | "running" | "waiting";
    by: string;
    sentence: string;
    doing: string;
    done: number;
    result: Record<string, any> | null;
    paid: Record<string, Record<string, number>>;
  }

  interface Fault {
    wager: string;
    line: number | null;
    sentence: string;
  }

  interface Design {
    faults: Fault[];
    files: Record<string, Record<string, string>>;
  }
}
