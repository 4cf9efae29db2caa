import {
  atLeast,
  boundingBox,
  decodeCounts,
  difference,
  emptyMask,
  type Mask,
  outlinePath,
} from '@/lib/core/mask';
import type { AuditLabel } from './audit-api';

export const overlays = ['outline', 'answers', 'difference', 'votes'] as const;
export type Overlay = (typeof overlays)[number];

/** An area over the picture: filled, outlined, or both. */
export type LayerShape = {
  id: string;
  name: string;
  colour: string;
  path: string;
  fill: number;
  stroke: boolean;
};

/** Bright enough to stand out of dark and light photographs alike. */
const LABEL = '#ffb000';
const ANSWERS = ['#35c7ff', '#ff5fa2', '#7be05a', '#b58cff', '#ff7a3d'];
const ONLY_LABEL = '#ff5fa2';
const ONLY_ANSWER = '#35c7ff';
const DOUBT = '#ff2d2d';

/** One colour for each instance of the label, so that touching ones can be told apart. */
const INSTANCES = [LABEL, '#ffe45c', '#ff8a3d', '#d9ff5c'];

type Value = { kind: string; instances?: readonly string[] | undefined };

type Drawn = Pick<AuditLabel, 'mask' | 'answers'> & {
  value?: Value;
  image: { width: number; height: number };
};

/** What an overlay shows, as shapes in pixels of the picture. */
export function layersOf(label: Drawn, overlay: Overlay): LayerShape[] {
  switch (overlay) {
    case 'outline':
      return outline(label, 0.25);
    case 'answers':
      return [...outline(label, 0), ...answerOutlines(label)];
    case 'difference':
      return differences(label);
    case 'votes':
      return [...entropy(label), ...outline(label, 0)];
  }
}

const read = (counts: string, { image }: Drawn): Mask => decodeCounts(counts, image.height, image.width);

/** An answer that says "nothing" votes against every pixel. */
const maskOf = (counts: string | null, label: Drawn): Mask =>
  counts === null ? emptyMask(label.image.height, label.image.width) : read(counts, label);

function outline(label: Drawn, fill: number): LayerShape[] {
  if (label.mask === null) return [];
  const instances = label.value?.instances;
  if (!instances) {
    const path = outlinePath(read(label.mask, label));
    return [{ id: 'label', name: 'Label', colour: LABEL, path, fill, stroke: true }];
  }
  return instances.map((counts, i) => ({
    id: `label-${i + 1}`,
    name: `Instance ${i + 1}`,
    colour: INSTANCES[i % INSTANCES.length] ?? LABEL,
    path: outlinePath(read(counts, label)),
    fill,
    stroke: true,
  }));
}

function answerOutlines(label: Drawn): LayerShape[] {
  return label.answers.flatMap((answer, i) =>
    answer.mask === null
      ? []
      : [
          {
            id: answer.id,
            name: answer.worker,
            colour: answerColour(i),
            path: instancesOf(answer)
              .map((counts) => outlinePath(read(counts, label)))
              .join(' '),
            fill: 0,
            stroke: true,
          },
        ],
  );
}

const instancesOf = ({ mask, value }: { mask: string | null; value: Value }): readonly string[] =>
  value.instances ?? (mask === null ? [] : [mask]);

export const answerColour = (place: number): string => ANSWERS[place % ANSWERS.length] ?? ONLY_ANSWER;

/** Over all answers: the more of them say otherwise, the stronger the colour. */
function differences(label: Drawn): LayerShape[] {
  const own = maskOf(label.mask, label);
  const share = 0.75 / Math.max(1, label.answers.length);
  return label.answers.flatMap((answer) => {
    const theirs = maskOf(answer.mask, label);
    const both = [
      {
        id: `${answer.id}-only-label`,
        name: 'In the label only',
        colour: ONLY_LABEL,
        mask: difference(own, theirs),
      },
      {
        id: `${answer.id}-only-answer`,
        name: 'In an answer only',
        colour: ONLY_ANSWER,
        mask: difference(theirs, own),
      },
    ];
    return both.map(({ mask, ...rest }) => ({
      ...rest,
      path: outlinePath(mask),
      fill: share,
      stroke: false,
    }));
  });
}

/** Bits of doubt about a pixel that this share of the answers covers: 0 when all say the same, 1 at one half. */
export function entropyOf(share: number): number {
  if (share <= 0 || share >= 1) return 0;
  return -(share * Math.log2(share) + (1 - share) * Math.log2(1 - share));
}

/** One area for each number of votes that is neither none nor all. */
function entropy(label: Drawn): LayerShape[] {
  const masks = label.answers.map((answer) => maskOf(answer.mask, label));
  const levels = Array.from({ length: Math.max(0, masks.length - 1) }, (_, i) => i + 1);
  return levels.map((votes) => ({
    id: `votes-${votes}`,
    name: `${votes} of ${masks.length} answers`,
    colour: DOUBT,
    path: outlinePath(difference(atLeast(masks, votes), atLeast(masks, votes + 1))),
    fill: 0.8 * entropyOf(votes / masks.length),
    stroke: false,
  }));
}

export type View = { x: number; y: number; width: number; height: number };

/** Around the mask with some room on all sides; the whole picture where nothing is drawn. */
export function closeUp(mask: string | null, width: number, height: number): View {
  if (mask === null) return { x: 0, y: 0, width, height };
  const [x, y, w, h] = boundingBox(decodeCounts(mask, height, width));
  const side = Math.max(w, h) * 1.5 + 16;
  const within = (from: number, size: number, all: number): [number, number] => {
    const span = Math.min(all, side);
    return [Math.min(Math.max(0, from + size / 2 - span / 2), all - span), span];
  };
  const [left, across] = within(x, w, width);
  const [top, down] = within(y, h, height);
  return { x: left, y: top, width: across, height: down };
}
