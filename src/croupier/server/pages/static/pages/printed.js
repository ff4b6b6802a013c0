// A pack on one page: it is printed as soon as it is there.

addEventListener("load", () => print());
