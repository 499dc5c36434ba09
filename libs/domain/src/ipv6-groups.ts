/** The eight groups, each 16 bits, of a valid IPv6 address without a zone; a dotted IPv4 ending counts as two. */
export function ipv6Groups(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = groupsOfPart(head);
  if (tail === undefined) return before;
  const after = groupsOfPart(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The groups on one side of `::`. */
function groupsOfPart(part: string): number[] {
  if (part === '') return [];
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });
}
