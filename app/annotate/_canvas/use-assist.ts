import { useEffect, useEffectEvent } from 'react';
import { type AssistRequest, type Editor, editorMessage } from '@/lib/core/editor';
import type { AssistQuestion, AssistReply, Suggestion } from './assist-messages';
import type { ImagePyramid } from './paint/image-pyramid';
import type { Assists } from './use-assists-there';

const FELL_OVER = editorMessage('smartFailed');

/**
 * Runs the assists in a worker, from the first time that a tool needs one. `assists` are those of the server for this
 * image; without them scribbles are answered in the browser.
 */
export function useAssist(editor: Editor, image: ImagePyramid, assists: Assists): void {
  // The image stays when another of its items is drawn.
  const server = useEffectEvent(() => ({
    // Absolute: a worker may have been loaded from an address that has no place on the server.
    address: `${location.origin}${assists.path}`,
    takesScribbles: assists.there?.prompts.includes('scribble') ?? false,
  }));
  useEffect(() => {
    let worker: Worker | undefined;
    let ready: Promise<Worker> | undefined;
    /** The last question; a tool numbers its own afresh after each gesture, so that is not enough. */
    let asked: { id: number; request: AssistRequest } | undefined;
    const hear = (id: number | undefined, { assist, model, shapes, problem }: Suggestion) => {
      if (!asked || id !== asked.id) return;
      const { request } = asked.request;
      const time = performance.now();
      editor.dispatch({ type: 'suggestion', request, assist, model, shapes, problem, time });
    };
    const start = () => {
      if (ready || !/^smart-/.test(editor.state.tool)) return;
      worker = new Worker(new URL('./assist.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<AssistReply>) => {
        if (data.kind === 'edges') editor.dispatch({ type: 'edges', edges: data.edges });
        else hear(data.id, data);
      };
      // A worker that fell over finds nothing; the person draws by hand.
      worker.onerror = () => hear(asked?.id, { assist: 'region', shapes: [], problem: FELL_OVER });
      ready = giveImage(worker, editor, image);
    };
    start();
    const stopStates = editor.subscribe(start);
    const stopEffects = editor.onEffect((effect) => {
      if (effect.kind !== 'ask') return;
      start();
      asked = { id: (asked?.id ?? 0) + 1, request: effect.request };
      const question: AssistQuestion = { kind: 'ask', ...asked, ...server() };
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
