'use client';

import { CircleSlash } from 'lucide-react';
import { useCallback, useEffect, useId, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { useKeyQueue } from '@/app/_ui/use-key-queue';
import { AnnotationCanvas } from '@/app/annotate/_canvas/annotation-canvas';
import { AssistBar } from '@/app/annotate/_canvas/assist-bar';
import { Hints } from '@/app/annotate/_canvas/hints';
import { InstanceBar } from '@/app/annotate/_canvas/instance-bar';
import { Measures } from '@/app/annotate/_canvas/measures';
import { Minimap } from '@/app/annotate/_canvas/minimap';
import type { ImagePyramid } from '@/app/annotate/_canvas/paint/image-pyramid';
import { labelStyle } from '@/app/annotate/_canvas/paint/label-style';
import { Toolbar } from '@/app/annotate/_canvas/toolbar';
import { useAssist } from '@/app/annotate/_canvas/use-assist';
import { type Assists, smartTools, useAssistsThere } from '@/app/annotate/_canvas/use-assists-there';
import { useEditor } from '@/app/annotate/_canvas/use-editor';
import { useToolKeys } from '@/app/annotate/_canvas/use-tool-keys';
import { ImageCache } from '@/app/annotate/_work/image-cache';
import { usePageActions } from '@/app/annotate/_work/use-page-actions';
import { Editor, emptyDocument, fromAnswer, layerOf, toAnswer } from '@/lib/core/editor';
import type { GoldQuestionView } from './read-question';
import { type SaveProps, WriteFrame } from './write-frame';

/** The annotator that workers have, without a batch around it. */
export function DrawMask(props: SaveProps) {
  const { question, needsOther, onSave } = props;
  const label = question.asked?.id ?? '';
  const [editor] = useState(() => openEditor(question, label));
  const image = useImage(question.image.url);
  useKeyQueue(image === undefined);
  const hintId = useId();
  const assists = useAssistsThere(props.assists);
  const { hidden, notice } = smartTools(assists);
  useToolKeys(editor, hidden);
  const save = (use: boolean) => onSave(toAnswer(editor.state.document, label), use);
  usePageActions(editor, { done: () => save(!needsOther) });
  const styleOf = useCallback(() => labelStyle(0), []);
  return (
    <WriteFrame
      {...props}
      onSave={save}
      more={<NothingButton editor={editor} />}
      footer={
        <footer className="flex h-8 shrink-0 items-center gap-4 border-t border-line bg-surface px-3 text-xs text-ink-2">
          <Hints editor={editor} id={hintId} />
          <Measures editor={editor} />
          {notice && <p className="truncate">{notice}</p>}
        </footer>
      }
    >
      <Toolbar editor={editor} disabled={false} hidden={hidden} />
      <div className="flex min-w-0 flex-1 flex-col">
        <InstanceBar editor={editor} styleOf={styleOf} disabled={false} />
        <div className="relative min-h-0 flex-1 bg-stage">
          {image instanceof Error && (
            <p className="absolute inset-0 flex items-center justify-center bg-surface text-bad">
              {image.message}
            </p>
          )}
          {image && !(image instanceof Error) && (
            <Board editor={editor} image={image} styleOf={styleOf} hintId={hintId} assists={assists} />
          )}
        </div>
      </div>
      {question.asked?.definition && (
        <aside className="w-60 shrink-0 border-l border-line bg-surface p-3">
          <h2 className="font-semibold">{question.asked.name}</h2>
          <p className="mt-1 text-ink-2">{question.asked.definition}</p>
        </aside>
      )}
    </WriteFrame>
  );
}

function openEditor({ image, known, asked }: GoldQuestionView, label: string): Editor {
  const frame = { width: image.width, height: image.height, labels: [label] };
  const document = known
    ? fromAnswer(known, label, frame)
    : emptyDocument(image.height, image.width, frame.labels);
  return new Editor({
    document,
    severalOf: asked?.isNumbered ? [label] : [],
    names: new Map([[label, asked?.name ?? label]]),
    settings: { flags: asked?.flags ?? [] },
  });
}

/** The picture, or why it is not there. */
function useImage(url: string): ImagePyramid | Error | undefined {
  const [image, setImage] = useState<ImagePyramid | Error>();
  useEffect(() => {
    const cache = new ImageCache();
    let isGone = false;
    cache.load(url, url).then(
      (loaded) => !isGone && setImage(loaded),
      () => !isGone && setImage(new Error('The picture could not be loaded. Reload the page to try again.')),
    );
    return () => {
      isGone = true;
      cache.dispose();
    };
  }, [url]);
  return image;
}

interface BoardProps {
  editor: Editor;
  image: ImagePyramid;
  styleOf: () => ReturnType<typeof labelStyle>;
  hintId: string;
  assists: Assists;
}

function Board({ editor, image, styleOf, hintId, assists }: BoardProps) {
  useAssist(editor, image, assists);
  return (
    <>
      <AnnotationCanvas editor={editor} image={image} styleOf={styleOf} describedBy={hintId} />
      <AssistBar editor={editor} assists={assists} hasOutline={false} />
      <Minimap editor={editor} image={image} />
    </>
  );
}

function NothingButton({ editor }: { editor: Editor }) {
  const isNothing = useEditor(editor, ({ document, label }) => layerOf(document, label)?.nothing ?? false);
  return (
    <Button
      aria-pressed={isNothing}
      icon={<CircleSlash aria-hidden />}
      className={isNothing ? 'border-accent bg-accent-soft text-accent' : undefined}
      onClick={(event) => editor.dispatch({ type: 'action', action: 'nothing', time: event.timeStamp })}
    >
      Nothing to label
    </Button>
  );
}
