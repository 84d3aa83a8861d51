import { Presets, SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number): void;
  stop(): void;
}

/** A progress bar on standard error if that is a terminal; otherwise shows nothing. */
export function progressBar(verb: string, total: number): ProgressBar {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const format = `${verb} [{bar}] {percentage}% {value}/{total} {eta_formatted}`;
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true }, Presets.shades_classic);
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
