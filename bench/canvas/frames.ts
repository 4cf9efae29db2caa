import type { Browser } from '@playwright/test';
import { best, type Figures, tableRow, text } from './figures';
import { type Act, acts, type SceneSpec } from './scenes';
import { type SubjectName, subjects, withPage } from './subjects';

const titles: Readonly<Record<Act, string>> = {
  pan: 'pan',
  zoom: 'zoom',
  dragVertex: 'drag a vertex',
  paint: 'paint',
};

/** Times between frames while something happens in each. */
export async function printFrames(
  browser: Browser,
  bundle: string,
  scenes: readonly SceneSpec[],
  rounds: number,
): Promise<void> {
  console.log('Time between frames in ms, median / 95th percentile, ours and SVG. 16.7 is every frame.\n');
  const columns = acts.flatMap((act) => subjects.map((who) => `${titles[act]}, ${who}`));
  console.log(tableRow(['', ...columns]));
  console.log(tableRow(['---', ...columns.map(() => '---')]));
  for (const scene of scenes) {
    const measured: Record<SubjectName, Figures[][]> = { ours: [], svg: [] };
    for (let round = 0; round < rounds; round++)
      for (const who of subjects)
        measured[who].push(
          await withPage(browser, bundle, (page) =>
            page.evaluate(([by, spec, list]) => window.measureScene(by, spec, list), [
              who,
              scene,
              acts,
            ] as const),
          ),
        );
    const cells = acts.flatMap((_, i) =>
      subjects.map((who) => text(best(measured[who].map((round) => round[i] as Figures)))),
    );
    console.log(tableRow([scene.name, ...cells]));
  }
  console.log('');
}
