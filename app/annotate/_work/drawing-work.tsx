'use client';

import { useCallback, useEffect, useId, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import { type OutboxState, toAnswer } from '@/lib/annotator';
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
import { useOutboxEvents } from './use-outbox-events';
import { usePageActions } from './use-page-actions';
import { useSheets } from './use-sheets';
import { useSubmit } from './use-submit';
import { Notice, WorkFrame } from './work-frame';

interface DrawingWorkProps extends ItemProps {
  session: DrawingSession;
  outbox: OutboxState | undefined;
}

const scopes = ['page', 'canvas', 'drawing'] as const;

/** The annotator: tools left, image in the middle, what is asked for right. */
export function DrawingWork(props: DrawingWorkProps) {
  const { session, outbox, item, batch, store, images, mayEdit, userId, onAnswered, onGo } = props;
  const { editor } = session;
  const hintId = useId();
  const image = useItemImage(images, item);
  const activity = useActivity(store, item.leaseId, item.draft !== null);
  const submitting = useSubmit({
    lease: item.leaseId,
    store,
    activity,
    outbox: session.outbox,
    onDone: onAnswered,
  });
  useKeyQueue(submitting.isPending || image.kind === 'loading', exceptSubmit);
  const sheets = useSheets();
  const [isPanelOpen, setPanelOpen] = useState(true);
  const [isAsked, setAsked] = useState(false);
  const styleOf = useLabelStyles(session);
  const { choices } = useKeys();
  useEffect(() => editor.dispatch({ type: 'keys', choices }), [editor, choices]);
  useOutboxEvents(session.outbox);

  const isOpen = item.state === 'open';
  const submit = () => {
    const value = toAnswer(editor.state.document, session.frame.labels[0] ?? '');
    setAsked(value === undefined);
    if (value && mayEdit && isOpen && !submitting.isPending) void submitting.submit(value);
  };
  usePageActions(editor, {
    submit,
    shortcuts: () => sheets.show('shortcuts'),
    comment: () => sheets.show('comment'),
    instructions: () => setPanelOpen((open) => !open),
    'full-screen': toggleFullScreen,
    'next-item': () => onGo(1),
    'previous-item': () => onGo(-1),
  });

  return (
    <WorkFrame
      item={props}
      title={taskSentence(batch, item)}
      outbox={outbox}
      activity={activity}
      sheets={sheets}
      actions={
        <DrawingActions
          editor={editor}
          state={item.state}
          disabled={!mayEdit || !isOpen}
          isPending={submitting.isPending}
          onSubmit={submit}
        />
      }
      notices={
        <>
          {session.notice && <Notice>{session.notice}</Notice>}
          {submitting.problem && <Notice>{submitting.problem}</Notice>}
          {isAsked && <Notice>Draw the area first, or choose “Nothing to label”.</Notice>}
        </>
      }
      told={
        <>
          <Hints editor={editor} id={hintId} />
          <Measures editor={editor} />
        </>
      }
    >
      <Toolbar editor={editor} disabled={!mayEdit || !isOpen} />
      <div className="relative min-w-0 flex-1 bg-stage">
        {image.kind === 'ready' && (
          <Drawing session={session} image={image.image} styleOf={styleOf} hintId={hintId} />
        )}
        {image.kind === 'failed' && (
          <div className="flex size-full bg-surface">
            <ImageProblem item={props} isBroken={image.isBroken} />
          </div>
        )}
      </div>
      <SidePanel
        session={session}
        batch={batch}
        guide={props.guide}
        styleOf={styleOf}
        open={isPanelOpen}
        onToggle={() => setPanelOpen((open) => !open)}
      />
      <ItemDialogs
        userId={userId}
        scopes={scopes}
        sheets={sheets}
        outbox={outbox}
        driver={session.outbox}
        submitting={submitting}
      />
    </WorkFrame>
  );
}

interface DrawingProps {
  session: DrawingSession;
  image: ImagePyramid;
  styleOf: ReturnType<typeof useLabelStyles>;
  hintId: string;
}

function Drawing({ session, image, styleOf, hintId }: DrawingProps) {
  useAssist(session.editor, image, session.item.leaseId);
  return (
    <>
      <AnnotationCanvas editor={session.editor} image={image} styleOf={styleOf} describedBy={hintId} />
      <AssistBar
        editor={session.editor}
        lease={session.item.leaseId}
        hasOutline={session.item.hasOutline && session.item.state === 'open'}
      />
      <Minimap editor={session.editor} image={image} />
    </>
  );
}

/** By the place of the label on the image, so that colour and pattern stay while it is open. */
function useLabelStyles(session: DrawingSession) {
  return useCallback(
    (label: string) => {
      const { layers } = session.editor.state.document;
      return labelStyle(
        Math.max(
          0,
          layers.findIndex((layer) => layer.label === label),
        ),
      );
    },
    [session],
  );
}
