// A guest gives a name, or comes back to his own; the link he came by says that he is invited.

import { $, fieldsOf, forThisTab, onSubmit, store, stored } from "../shared/dom.js";
import { post } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";

// Where another page led here the browser shows none of its cookies: it asks once more by itself,
// and one that is known goes on. Nothing can be typed before that.
const join = $("join", HTMLFormElement);
if (stored(forThisTab, "joins")) join.hidden = false;
else {
  store(forThisTab, "joins", "yes");
  location.replace(location.href);
}

onSubmit(join, async (form) => {
  const told = await post(location.pathname, fieldsOf(form));
  if (told.outcome === "done") location.replace("/");
  else no(told);
});
