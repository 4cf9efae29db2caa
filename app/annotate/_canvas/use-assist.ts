import { useEffect } from 'react';
import type { Editor } from '@/lib/annotator';
import type { AssistQuestion, AssistReply } from './assist-messages';
import type { ImagePyramid } from './paint/image-pyramid';

/** Told with every accepted suggestion. */
const REGION_ASSIST = 'region-growing';

/** Runs the assists in a worker, from the first time that a tool needs one. */
export function useAssist(editor: Editor, image: ImagePyramid): void {
  useEffect(() => {
    let worker: Worker | undefined;
    let ready: Promise<Worker> | undefined;
    const start = () => {
      if (ready || !/^smart-/.test(editor.state.tool)) return;
      worker = new Worker(new URL('./assist.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<AssistReply>) => hear(editor, data);
      worker.onerror = () => hearNothing(editor);
      ready = giveImage(worker, editor, image);
    };
    start();
    const stopStates = editor.subscribe(start);
    const stopEffects = editor.onEffect((effect) => {
      if (effect.kind !== 'ask') return;
      const question: AssistQuestion = { kind: 'region', ...effect.request };
      void ready?.then((made) => made.postMessage(question));
    });
    return () => {
      stopStates();
      stopEffects();
      worker?.terminate();
    };
  }, [editor, image]);
}

async function giveImage(worker: Worker, editor: Editor, image: ImagePyramid): Promise<Worker> {
  const { width, height } = editor.state.document;
  const copy = await createImageBitmap(image.image);
  const question: AssistQuestion = { kind: 'image', image: copy, size: { width, height } };
  worker.postMessage(question, [copy]);
  return worker;
}

function hear(editor: Editor, reply: AssistReply): void {
  if (reply.kind === 'edges') {
    editor.dispatch({ type: 'edges', edges: reply.edges });
    return;
  }
  const { request, shapes } = reply;
  editor.dispatch({ type: 'suggestion', request, assist: REGION_ASSIST, shapes, time: performance.now() });
}

/** A worker that fell over finds nothing; the person draws by hand. */
function hearNothing(editor: Editor): void {
  const { toolState } = editor.state;
  const request = 'request' in toolState ? Number(toolState.request) : 0;
  editor.dispatch({
    type: 'suggestion',
    request,
    assist: REGION_ASSIST,
    shapes: [],
    time: performance.now(),
  });
}
