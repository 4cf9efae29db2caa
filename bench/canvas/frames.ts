import type { Browser, Page } from '@playwright/test';
import { best, type Figures, figuresOf, tableRow, text } from './figures';
import { type Act, acts, type SceneSpec, type SubjectName, subjects, withPage } from './scenes';

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

/** Places of the pointer in one stroke. */
const PLACES = 120;

/** From the pointer's event to the frame after the one that was painted for it: then it is on the screen. */
export async function printLatency(
  browser: Browser,
  bundle: string,
  scenes: readonly SceneSpec[],
  rounds: number,
): Promise<void> {
  console.log('From pointer to paint of a brush stroke in ms, median / 95th percentile.\n');
  console.log(tableRow(['', ...subjects]));
  console.log(tableRow(['---', ...subjects.map(() => '---')]));
  for (const scene of scenes) {
    const measured: Record<SubjectName, Figures[]> = { ours: [], svg: [] };
    for (let round = 0; round < rounds; round++)
      for (const who of subjects)
        measured[who].push(
          figuresOf(await withPage(browser, bundle, (page) => strokeLatencies(page, who, scene))),
        );
    const cells = subjects.map((who) => text(best(measured[who])));
    console.log(tableRow([scene.name, ...cells]));
  }
  console.log('');
}

/** The browser's own pointer events, as a mouse would send them. */
async function strokeLatencies(page: Page, who: SubjectName, scene: SceneSpec): Promise<number[]> {
  await page.evaluate(([by, spec]) => window.prepareStroke(by, spec), [who, scene] as const);
  await page.mouse.move(100, 400);
  await page.mouse.down();
  for (let i = 1; i <= PLACES; i++) await page.mouse.move(100 + 6 * i, 400 + 80 * Math.sin(i / 8));
  await page.mouse.up();
  return page.evaluate(() => window.strokeLatencies());
}
