// What the table offers whoever looks: the one place to ask what may be done now.

/**
 * The options by these names, as the view has them.
 * @param {Server.View | null | undefined} view
 * @param {...string} names
 */
export const offered = (view, ...names) =>
  (view?.may ?? []).filter((option) => names.includes(option.do));

/**
 * Whether one of them is offered.
 * @param {Server.View | null | undefined} view
 * @param {...string} names
 */
export const isOffered = (view, ...names) => offered(view, ...names).length > 0;
