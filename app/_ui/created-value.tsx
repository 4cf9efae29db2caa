import { Button } from './button';
import { CopyField } from './copy-field';
import { DialogClose, DialogFooter } from './dialog';

/** The last step of a dialog that creates a link, key or command: the value, which is shown only once. */
export function CreatedValue({ label, value }: { label: string; value: string }) {
  return (
    <>
      <CopyField once label={label} value={value} />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}
