import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { encodeCounts } from '@/lib/core/mask';
import { BITMAP_MASKS, type Scene } from './data';
import type { Contender, Slice } from './operations';

export type About = { readonly pycocotools: string; readonly opencv: string; readonly core: string };

/** anchors.py as a child process that answers one request at a time. */
export class Anchors {
  readonly about: About;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  private constructor(
    about: About,
    child: ChildProcessByStdio<Writable, Readable, null>,
    lines: AsyncIterator<string>,
  ) {
    this.about = about;
    this.#child = child;
    this.#lines = lines;
  }

  /** Nothing when Python or one of its packages cannot be had; the reason is on standard error by then. */
  static async start(scenes: readonly Scene[]): Promise<Anchors | undefined> {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-mask-bench-'));
    const file = join(folder, 'scenes.json');
    writeFileSync(
      file,
      JSON.stringify(Object.fromEntries(scenes.map((scene) => [scene.name, asJson(scene)]))),
    );
    const script = fileURLToPath(new URL('./anchors.py', import.meta.url));
    const child = spawn('python3', ['-B', script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.on('error', (error) => console.error(`cannot run python3: ${error.message}`));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    rmSync(folder, { recursive: true });
    return first.done ? undefined : new Anchors(JSON.parse(first.value), child, lines);
  }

  async seconds(
    scene: Scene,
    operation: string,
    slice: Slice,
    times: number,
  ): Promise<Partial<Record<Contender, number>>> {
    this.#child.stdin.write(`${scene.name} ${operation} ${slice.from} ${slice.to} ${times}\n`);
    const answer = await this.#lines.next();
    if (answer.done) throw new Error(`anchors.py stopped during ${operation}`);
    return JSON.parse(answer.value);
  }

  stop(): void {
    this.#child.stdin.end();
  }
}

function asJson(scene: Scene) {
  const { height, width, objects } = scene;
  return {
    height,
    width,
    objects,
    bitmapMasks: BITMAP_MASKS[scene.name],
    masks: scene.masks.map(encodeCounts),
    secondMasks: scene.secondMasks.map(encodeCounts),
    blobs: scene.blobs.map(encodeCounts),
  };
}
