'use client';

import { useCallback, useEffect, useId, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';
import { useKeyQueue } from '@/app/_ui/use-key-queue';
import { AnnotationCanvas } from '@/app/annotate/_canvas/annotation-canvas';
import { AssistBar } from '@/app/annotate/_canvas/assist-bar';
import { Hints } from '@/app/annotate/_canvas/hints';
import { InstanceBar } from '@/app/annotate/_canvas/instance-bar';
import { Minimap } from '@/app/annotate/_canvas/minimap';
import { ImagePyramid } from '@/app/annotate/_canvas/paint/image-pyramid';
import { labelStyle } from '@/app/annotate/_canvas/paint/label-style';
import { ShortcutSheet } from '@/app/annotate/_canvas/shortcut-sheet';
import { Toolbar } from '@/app/annotate/_canvas/toolbar';
import { useAssist } from '@/app/annotate/_canvas/use-assist';
import { type Assists, smartTools, useAssistsThere } from '@/app/annotate/_canvas/use-assists-there';
import { useEditor } from '@/app/annotate/_canvas/use-editor';
import { useToolKeys } from '@/app/annotate/_canvas/use-tool-keys';
import { usePageActions } from '@/app/annotate/_work/use-page-actions';
import { Editor, fromAnswer, layerOf, toAnswer } from '@/lib/core/editor';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { AuditLabel } from './audit-api';

export type FixProps = {
  label: AuditLabel;
  isPending: boolean;
  problem: string | undefined;
  onSave: (value: AnswerValue) => void;
  onCancel: () => void;
};

const scopes = ['page', 'canvas', 'drawing'] as const;

/** The annotator in the place of the picture, with the label's own shapes to put right. */
export function FixDrawing({
  slug,
  label,
  isPending,
  problem,
  onSave,
  onCancel,
}: FixProps & { slug: string }) {
  const target = label.target?.id ?? '';
  const [editor] = useState(() => startEditor(label, target));
  const [image, setImage] = useState<ImagePyramid>();
  const [trouble, setTrouble] = useState<string>();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const hintId = useId();
  const assists = useAssistsThere(`/api/v1/projects/${slug}/audit/labels/${label.id}/assist`);
  const { hidden, notice } = smartTools(assists);
  useToolKeys(editor, hidden);
  const isNothing = useEditor(editor, ({ document }) => layerOf(document, target)?.nothing ?? false);
  const styleOf = useCallback(() => labelStyle(0), []);
  useKeyQueue(!image && !trouble);
  useEffect(() => {
    let made: ImagePyramid | undefined;
    let isGone = false;
    loadPicture(label.image.url).then(
      (loaded) => {
        made = loaded;
        if (isGone) loaded.close();
        else setImage(loaded);
      },
      () => setTrouble('The picture could not be loaded. Cancel, and open the label again.'),
    );
    return () => {
      isGone = true;
      made?.close();
    };
  }, [label.image.url]);
  const save = () => {
    const value = toAnswer(editor.state.document, target);
    setTrouble(value ? undefined : 'Draw the area first, or choose “Nothing to label”.');
    if (value && !isPending) onSave(value);
  };
  usePageActions(editor, { done: save, shortcuts: () => setSheetOpen(true) });
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line bg-surface px-2">
        <p className="min-w-0 flex-1 truncate">
          <span className="font-medium">Put {label.target?.name ?? 'the label'} right.</span>{' '}
          <span role="alert" className="text-bad">
            {problem ?? trouble}
          </span>
        </p>
        <Button
          aria-pressed={isNothing}
          className={isNothing ? 'border-accent bg-accent-soft text-accent' : undefined}
          onClick={(event) => editor.dispatch({ type: 'action', action: 'nothing', time: event.timeStamp })}
        >
          Nothing to label <Kbd keys="N" />
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" pending={isPending} onClick={save}>
          Save <Kbd keys="Ctrl Enter" className="opacity-80" />
        </Button>
      </div>
      <div className="flex min-h-0 flex-1">
        <Toolbar editor={editor} disabled={false} hidden={hidden} />
        <div className="flex min-w-0 flex-1 flex-col">
          <InstanceBar editor={editor} styleOf={styleOf} disabled={false} />
          <div className="relative min-h-0 flex-1 bg-stage">
            {image && (
              <Canvas editor={editor} image={image} styleOf={styleOf} hintId={hintId} assists={assists} />
            )}
          </div>
        </div>
      </div>
      <div className="flex h-7 shrink-0 items-center border-t border-line bg-surface px-3 text-xs">
        <Hints editor={editor} id={hintId} />
        {notice && <p className="ms-auto truncate ps-4 text-ink-2">{notice}</p>}
      </div>
      <ShortcutSheet scopes={scopes} open={isSheetOpen} onOpenChange={setSheetOpen} />
    </div>
  );
}

type CanvasProps = {
  editor: Editor;
  image: ImagePyramid;
  styleOf: () => ReturnType<typeof labelStyle>;
  hintId: string;
  assists: Assists;
};

function Canvas({ editor, image, styleOf, hintId, assists }: CanvasProps) {
  useAssist(editor, image, assists);
  return (
    <>
      <AnnotationCanvas editor={editor} image={image} styleOf={styleOf} describedBy={hintId} />
      <AssistBar editor={editor} assists={assists} hasOutline={false} />
      <Minimap editor={editor} image={image} />
    </>
  );
}

function startEditor(label: AuditLabel, target: string): Editor {
  const { width, height } = label.image;
  return new Editor({
    document: fromAnswer(label.value, target, { width, height, labels: [target] }),
    severalOf: label.target?.isNumbered ? [target] : [],
    names: new Map([[target, label.target?.name ?? target]]),
    settings: { flags: label.target?.flags ?? [] },
  });
}

async function loadPicture(url: string): Promise<ImagePyramid> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The picture could not be loaded (${response.status}).`);
  return ImagePyramid.of(await createImageBitmap(await response.blob()));
}
