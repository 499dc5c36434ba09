export function takeLock(
  file: string,
): { release(): void; heldBy?: undefined } | { release?: undefined; heldBy: number };
