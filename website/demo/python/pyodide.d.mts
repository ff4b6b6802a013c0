// What the worker calls of Pyodide; its own package is fetched when the folder is built.
export function loadPyodide(options: object): Promise<any>;
