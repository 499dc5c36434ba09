/** One series of a service's metrics, as an alert would read it: the first with these labels; NaN if none is shown. */
export async function sampleOf(
  healthUrl: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`${name}{`) && wanted.every((label) => one.includes(label)));
  return line === undefined ? NaN : Number(line.slice(line.lastIndexOf(' ') + 1));
}
