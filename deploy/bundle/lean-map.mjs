// What Node needs to name the TypeScript of this repository in a stack, and no more. With --enable-source-maps it keeps
// the text of each map, and from the first stack on (amqplib takes one for each channel that is closed) each mapping in
// an array of its own: of the whole maps 75 MiB in config, 37 in ingest and 23 in a dispatcher, after 0.1 to 0.7 s in
// which nothing else went on [docs/decisions/0046-one-file-a-service.md].
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * A source map with one mapping for each line of ours that a line of the bundle comes from. Frames of packages keep
 * their place in the bundle.
 *
 * @param map as the bundler made it
 * @param isOurs whether a source of the map is of this repository
 */
export function leanMap(map, isOurs) {
  const sources = map.sources.filter(isOurs);
  const indexOf = map.sources.map((source) => sources.indexOf(source));
  const mappings = encode(leanLines(decode(map.mappings), indexOf));
  return { version: 3, file: map.file, names: [], sources, mappings };
}

/** Where Node finds no mapping on a line it takes the one before, on whichever line: a package begins with one to nowhere. */
function leanLines(lines, indexOf) {
  let [source, line] = [-1, -1];
  return lines.map((segments) => {
    const lean = [];
    for (const [column, from, fromLine, fromColumn] of segments) {
      const ours = from === undefined ? -1 : indexOf[from];
      const isFirst = lean.length === 0 && ours !== -1;
      if (!isFirst && ours === source && (ours === -1 || fromLine === line)) continue;
      [source, line] = [ours, fromLine];
      lean.push(ours === -1 ? [column] : [column, ours, fromLine, fromColumn]);
    }
    return lean;
  });
}
