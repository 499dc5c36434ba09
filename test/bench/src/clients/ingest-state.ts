/** What ingest says that it holds for its callers, and how it fares. */
export interface IngestState {
  readonly held: Readonly<Record<string, number>>;
  readonly residentMiB: number;
}

const HELD = [
  'ingest_connections_open',
  'ingest_key_checks_waiting',
  'ingest_requests_in_flight',
  'ingest_bytes_in_flight',
] as const;

export async function stateOf(healthUrl: string): Promise<IngestState> {
  const lines = (await (await fetch(`${healthUrl}/metrics`)).text()).split('\n');
  const valueOf = (name: string): number => {
    const line = lines.find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
    return line === undefined ? NaN : Number(line.split(' ').at(-1));
  };
  return {
    held: Object.fromEntries(HELD.map((name) => [name, valueOf(name)])),
    residentMiB: valueOf('process_resident_memory_bytes') / 2 ** 20,
  };
}

/** Versions before did not tell what they hold. */
export const tells = ({ held }: IngestState): boolean => !Object.values(held).some(Number.isNaN);

export const holdsNothing = ({ held }: IngestState): boolean => Object.values(held).every((amount) => amount === 0);

export const isReady = async (healthUrl: string): Promise<boolean> => (await fetch(`${healthUrl}/health/ready`)).ok;
