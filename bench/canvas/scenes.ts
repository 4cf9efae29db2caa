import type { Browser, Page } from '@playwright/test';
import { build } from 'esbuild';
import { projectFolder } from '@/lib/config';

/** What is drawn in one row of the table. */
export type SceneSpec = {
  readonly name: string;
  readonly polygons: number;
  readonly vertices: number;
  /** Of the image, in pixels. */
  readonly width: number;
  readonly height: number;
};

/** Polygons of 20 vertices on 1000 × 800, as the complaints of other tools' users have them, and the two extremes. */
export const scenes: readonly SceneSpec[] = [
  ...[20, 200, 2000, 5000].map((polygons) => ({
    name: `${polygons} polygons of 20`,
    polygons,
    vertices: 20,
    width: 1000,
    height: 800,
  })),
  { name: 'one polygon of 6000', polygons: 1, vertices: 6000, width: 1000, height: 800 },
  { name: '24 megapixels, 20 polygons', polygons: 20, vertices: 20, width: 6000, height: 4000 },
];

/** Flat rings on a grid, round with a wave, each a little different; always the same. */
export function ringsOf({ polygons, vertices, width, height }: SceneSpec): Float64Array[] {
  const columns = Math.ceil(Math.sqrt((polygons * width) / height));
  const rows = Math.ceil(polygons / columns);
  const radius = 0.6 * Math.min(width / columns, height / rows);
  return Array.from({ length: polygons }, (_, i) => {
    const x = ((i % columns) + 0.5) * (width / columns);
    const y = (Math.floor(i / columns) + 0.5) * (height / rows);
    return Float64Array.from({ length: 2 * vertices }, (_, k) => {
      const angle = (2 * Math.PI * Math.floor(k / 2)) / vertices;
      const reach = radius * (0.8 + 0.2 * Math.sin(5 * angle + i));
      return k % 2 === 0 ? x + reach * Math.cos(angle) : y + reach * Math.sin(angle);
    });
  });
}

/** A way to show a scene; each act changes what is on the screen as one frame of the work would. */
export interface Subject {
  pan(frame: number): void;
  zoom(frame: number): void;
  dragVertex(frame: number): void;
  paint(frame: number): void;
  /** Ends a drag or a stroke. */
  rest(): void;
  /** From now on the browser's pointer paints. */
  listen(): void;
}

export const acts = ['pan', 'zoom', 'dragVertex', 'paint'] as const;
export type Act = (typeof acts)[number];

/** Who shows a scene. */
export const subjects = ['ours', 'svg'] as const;
export type SubjectName = (typeof subjects)[number];

/** Everything that runs in the browser, as one script. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['bench/canvas/page.ts'],
    absWorkingDir: projectFolder,
    bundle: true,
    write: false,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfig: 'tsconfig.json',
  });
  return outputFiles[0]?.text ?? '';
}

/** A page of its own for each measurement: nothing is left from the one before. */
export async function withPage<T>(
  browser: Browser,
  bundle: string,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  try {
    await page.setContent('<!doctype html><style>body{margin:0}</style><body></body>');
    await page.addScriptTag({ content: bundle });
    return await use(page);
  } finally {
    await page.close();
  }
}
