import type { Example } from '../_attributes/definition-panel';
import type { BatchGuide } from './short-guide';
import type { WorkText } from './work-text';

/** By option of a form: what the curator chose, else labelled pictures. One that shows a mistake says so first. */
export function examplePictures({ targets }: BatchGuide, t: WorkText): Record<string, readonly Example[]> {
  return Object.fromEntries(
    Object.entries(targets).flatMap(([option, { written, labelled }]) => {
      const alt = t('examples.of', { name: option });
      const chosen = written.map(({ url, verdict, caption, note }) => {
        const text = [caption, note].filter((part) => part !== '').join(' ');
        return {
          url,
          alt: caption || alt,
          note: verdict === 'good' ? text : t('examples.notGoodNote', { note: text }),
        };
      });
      const found = labelled.map(({ url, className }) => ({ url, alt, note: className ?? '' }));
      const list = [...chosen, ...found];
      return list.length > 0 ? [[option, list] as const] : [];
    }),
  );
}
