import { edgeCosts, editorMessage, type Scribble, suggestRegion } from '@/lib/core/editor';
import type { Box } from '@/lib/core/geometry';
import type { AssistQuestion, AssistReply, Suggestion } from './assist-messages';
import { askForObject, askForScribbles } from './assist-object';

/** Longest side on which edges are looked for: fine enough for a hand, and 4 bytes a pixel in the worker. */
const EDGE_SIDE = 1024;

const LEAKS = editorMessage('regionLeaks');

let image: ImageBitmap | undefined;
let size = { width: 1, height: 1 };

const scope = self as unknown as {
  onmessage: (event: MessageEvent<AssistQuestion>) => void;
  postMessage: (reply: AssistReply, transfer?: Transferable[]) => void;
};

scope.onmessage = async ({ data }) => {
  if (data.kind === 'image') {
    ({ image, size } = data);
    findEdges(data.image);
  } else if (image) {
    const suggestion = await suggest(image, data);
    scope.postMessage({ kind: 'suggestion', id: data.id, request: data.request.request, ...suggestion });
  }
};

async function suggest(
  bitmap: ImageBitmap,
  { request, address, takesScribbles }: Extract<AssistQuestion, { kind: 'ask' }>,
): Promise<Suggestion> {
  if (request.kind === 'object') return askForObject(address, request.prompt);
  if (takesScribbles) {
    const found = await askForScribbles(address, request.scribbles);
    // A busy server is no reason to wait: the browser has an answer of its own.
    if (!found.problem) return found;
  }
  return { assist: 'region', ...findRegion(bitmap, request.scribbles) };
}

function findEdges(bitmap: ImageBitmap): void {
  const scale = Math.max(1, Math.max(size.width, size.height) / EDGE_SIDE);
  const width = Math.max(1, Math.round(size.width / scale));
  const height = Math.max(1, Math.round(size.height / scale));
  const { data } = pixels(bitmap, [0, 0, size.width, size.height], width, height);
  const luminance = new Uint8Array(width * height);
  // Rec. 601, in 1/256.
  for (let i = 0; i < luminance.length; i++)
    luminance[i] =
      (77 * (data[4 * i] as number) + 150 * (data[4 * i + 1] as number) + 29 * (data[4 * i + 2] as number)) >>
      8;
  const edges = edgeCosts({ data: luminance, width, height }, size.width / width);
  scope.postMessage({ kind: 'edges', edges }, [edges.costs.buffer]);
}

function findRegion(
  bitmap: ImageBitmap,
  scribbles: readonly Scribble[],
): Pick<Suggestion, 'shapes' | 'problem'> {
  const shapes = suggestRegion(scribbles, size, (plan) => {
    const { data } = pixels(bitmap, plan.box, plan.width, plan.height);
    return { rgba: data, width: plan.width, height: plan.height, plan };
  });
  return shapes ? { shapes } : { shapes: [], problem: LEAKS };
}

/** A box of the upright image, scaled; the bitmap may be a smaller working copy. */
function pixels(bitmap: ImageBitmap, [x, y, w, h]: Box, width: number, height: number): ImageData {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser gives no canvas to a worker.');
  const across = bitmap.width / size.width;
  const down = bitmap.height / size.height;
  context.drawImage(bitmap, x * across, y * down, w * across, h * down, 0, 0, width, height);
  return context.getImageData(0, 0, width, height);
}
