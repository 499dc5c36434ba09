type Labels = Readonly<Record<string, string>>;

/** The values of a service's series of that name with these labels. */
async function samplesOf(healthUrl: string, name: string, labels: Labels): Promise<number[]> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text();
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
}

/** One series of a service's metrics, as an alert would read it: the first with these labels; NaN if none is shown. */
export async function sampleOf(healthUrl: string, name: string, labels: Labels = {}): Promise<number> {
  return (await samplesOf(healthUrl, name, labels))[0] ?? NaN;
}

/** The sum of these series over some processes; 0 if none is shown. */
export async function sumOfSamples(
  processes: readonly { readonly healthUrl: string }[],
  name: string,
  labels: Labels = {},
): Promise<number> {
  const each = await Promise.all(processes.map(({ healthUrl }) => samplesOf(healthUrl, name, labels)));
  return each.flat().reduce((sum, value) => sum + value, 0);
}
