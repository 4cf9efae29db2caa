'use client';

import { useCallback, useEffect, useId, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import { type AnnotationDocument, layerMask, layerOf, type ToolId, toAnswer } from '@/lib/annotator';
import { area } from '@/lib/mask';
import { AnnotationCanvas } from '../_canvas/annotation-canvas';
import { AssistBar } from '../_canvas/assist-bar';
import { Hints } from '../_canvas/hints';
import { useKeys } from '../_canvas/keys';
import { Measures } from '../_canvas/measures';
import { Minimap } from '../_canvas/minimap';
import type { ImagePyramid } from '../_canvas/paint/image-pyramid';
import { labelStyle } from '../_canvas/paint/label-style';
import { Toolbar } from '../_canvas/toolbar';
import { useAssist } from '../_canvas/use-assist';
import { useEditor } from '../_canvas/use-editor';
import { DiscardDialog } from './discard-dialog';
import { DrawingActions } from './drawing-actions';
import type { DrawingSession } from './drawing-session';
import { ImageProblem } from './image-problem';
import { ItemDialogs } from './item-dialogs';
import type { ItemProps } from './item-props';
import { SidePanel } from './side-panel';
import { taskSentence } from './task-sentence';
import { toggleFullScreen } from './toggle-full-screen';
import { useActivity } from './use-activity';
import { useItemImage } from './use-item-image';
import { usePageActions } from './use-page-actions';
import { WorkFrame } from './work-frame';
import { Message } from './workspace-messages';

interface DrawingWorkProps extends ItemProps {
  drawing: DrawingSession;
}

const scopes = ['page', 'canvas', 'drawing'] as const;
const noTools: ReadonlySet<ToolId> = new Set();
const smartTools: ReadonlySet<ToolId> = new Set(['smart-object']);

/** The annotator: tools left, image in the middle, what is asked for right. */
export function DrawingWork(props: DrawingWorkProps) {
  const { drawing, session, item, batch, images, canEdit, status, settings, sheets, onGo } = props;
  const { editor } = drawing;
  const hintId = useId();
  const image = useItemImage(images, item);
  useActivity(session.activities, item.leaseId);
  useKeyQueue(props.isChecking || image.kind === 'loading', exceptSubmit);
  const [isPanelOpen, setPanelOpen] = useState(settings.current.isPanelOpen ?? true);
  const togglePanel = () => {
    settings.change({ isPanelOpen: !isPanelOpen });
    setPanelOpen(!isPanelOpen);
  };
  const styleOf = useLabelStyles(drawing);
  const { choices } = useKeys();
  const hidden = props.hasSmartTools || item.hasOutline ? noTools : smartTools;
  useEffect(() => {
    // A tool that is not offered has no key either.
    const keys = Object.fromEntries([...hidden].map((id) => [`tool-${id}`, []]));
    editor.dispatch({ type: 'keys', choices: { ...choices, ...keys } });
  }, [editor, choices, hidden]);
  const [isDiscarding, setDiscarding] = useState(false);

  const document = useEditor(editor, (state) => state.document);
  const [problem, setProblem] = useState<Problem>();
  const isOpen = status !== 'answered' && status !== 'released';
  const label = drawing.frame.labels[0] ?? '';
  const done = () => {
    const now = editor.state.document;
    const value = toAnswer(now, label);
    const text = problemOf(now, label);
    setProblem(text === undefined ? undefined : { document: now, text });
    if (value && !text && canEdit && isOpen && !props.isChecking) props.onDone(value);
  };
  usePageActions(editor, {
    done,
    nothing: () => setDiscarding(true),
    'submit-batch': () => canEdit && props.onSubmit(),
    shortcuts: () => sheets.show('shortcuts'),
    comment: () => sheets.show('comment'),
    instructions: togglePanel,
    'full-screen': toggleFullScreen,
    'next-item': () => onGo(1),
    'previous-item': () => onGo(-1),
  });

  return (
    <WorkFrame
      item={props}
      title={taskSentence(batch, item)}
      actions={<DrawingActions props={props} editor={editor} disabled={!canEdit || !isOpen} onDone={done} />}
      messages={
        <>
          {drawing.notice && <Message tone="warn">{drawing.notice}</Message>}
          {problem?.document === document && <Message tone="warn">{problem.text}</Message>}
        </>
      }
      details={
        <>
          <Hints editor={editor} id={hintId} />
          <Measures editor={editor} />
        </>
      }
    >
      <Toolbar editor={editor} disabled={!canEdit || !isOpen} hidden={hidden} />
      <div className="relative min-w-0 flex-1 bg-stage">
        {image.kind === 'ready' && (
          <Drawing drawing={drawing} image={image.image} styleOf={styleOf} hintId={hintId} isOpen={isOpen} />
        )}
        {image.kind === 'failed' && (
          <div className="flex size-full bg-surface">
            <ImageProblem item={props} isBroken={image.isBroken} />
          </div>
        )}
      </div>
      <SidePanel
        session={drawing}
        batch={batch}
        guide={props.guide}
        styleOf={styleOf}
        open={isPanelOpen}
        onToggle={togglePanel}
      />
      <DiscardDialog
        open={isDiscarding}
        onOpenChange={setDiscarding}
        onDiscard={() =>
          editor.dispatch({ type: 'action', action: 'nothing', time: performance.now(), isConfirmed: true })
        }
      />
      <ItemDialogs props={props} scopes={scopes} />
    </WorkFrame>
  );
}

/** Why a drawing is not done yet. It is shown until the drawing changes. */
type Problem = { readonly document: AnnotationDocument; readonly text: string };

function problemOf(document: AnnotationDocument, label: string): string | undefined {
  const value = toAnswer(document, label);
  if (!value) return 'Draw the area first, or choose “Nothing to label”.';
  const layer = layerOf(document, label);
  if (value.kind !== 'mask' || !layer || area(layerMask(document, layer)) > 0) return undefined;
  return 'The drawing covers no pixel of the image. Draw the area, or choose “Nothing to label”.';
}

interface DrawingProps {
  drawing: DrawingSession;
  image: ImagePyramid;
  styleOf: ReturnType<typeof useLabelStyles>;
  hintId: string;
  isOpen: boolean;
}

function Drawing({ drawing, image, styleOf, hintId, isOpen }: DrawingProps) {
  const { editor, item } = drawing;
  useAssist(editor, image, item.leaseId);
  return (
    <>
      <AnnotationCanvas editor={editor} image={image} styleOf={styleOf} describedBy={hintId} />
      <AssistBar editor={editor} lease={item.leaseId} hasOutline={item.hasOutline && isOpen} />
      <Minimap editor={editor} image={image} />
    </>
  );
}

/** By the place of the label on the image, so that colour and pattern stay while it is open. */
function useLabelStyles(drawing: DrawingSession) {
  return useCallback(
    (label: string) => {
      const { layers } = drawing.editor.state.document;
      return labelStyle(
        Math.max(
          0,
          layers.findIndex((layer) => layer.label === label),
        ),
      );
    },
    [drawing],
  );
}
