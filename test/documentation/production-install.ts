import { dirname } from 'node:path/posix';
import { readText } from './repository.js';

interface LockedPackage {
  /** A package of the workspace stands in node_modules as a link to its folder. */
  readonly link?: boolean;
  readonly resolved?: string;
  /** Only development needs it. */
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type Locked = Readonly<Record<string, LockedPackage>>;

/**
 * The names of the packages that `npm ci --omit=dev --workspace <folder>` installs, by package-lock.json. Like npm, it
 * takes along what a package of the workspace declares for development, and optional peers, if anything else in the
 * workspace has them locked and not for development alone.
 */
export function productionInstall(folder: string): ReadonlySet<string> {
  const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Locked };
  const reached = new Set([folder]);
  for (const place of reached) {
    for (const name of namesIn(packages[place]!)) {
      const found = resolve(packages, place, name);
      if (found !== undefined && packages[found]!.dev !== true) reached.add(found);
    }
  }
  return new Set([...reached].map((place) => place.split('node_modules/').at(-1)!));
}

const namesIn = (one: LockedPackage): string[] =>
  Object.keys({ ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies, ...one.peerDependencies });

/** Where Node would find a package that is imported from this place; undefined if it is not installed. */
function resolve(packages: Locked, place: string, name: string): string | undefined {
  for (let folder = place; ; folder = dirname(folder)) {
    const candidate = folder === '.' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = packages[candidate];
    if (found) return found.link ? found.resolved : candidate;
    if (folder === '.') return undefined;
  }
}
