import type { Example } from '../_attributes/definition-panel';
import type { BatchGuide } from './short-guide';

/** By option of a form: what the curator chose, else labelled pictures. One that shows a mistake says so first. */
export function examplePictures({ targets }: BatchGuide): Record<string, readonly Example[]> {
  return Object.fromEntries(
    Object.entries(targets).flatMap(([option, { written, labelled }]) => {
      const alt = `Example of ${option}`;
      const chosen = written.map(({ url, verdict, caption, note }) => {
        const words = [verdict === 'good' ? '' : 'Not good:', caption, note].filter((text) => text !== '');
        return { url, alt: caption || alt, note: words.join(' ') };
      });
      const found = labelled.map(({ url, className }) => ({ url, alt, note: className ?? '' }));
      const list = [...chosen, ...found];
      return list.length > 0 ? [[option, list] as const] : [];
    }),
  );
}
