import { Field, Input } from '@/app/_ui/forms';

/** The ONNX file and what belongs to it by its kind. A file can also be dropped on its field. */
export function FileFields({ kind }: { kind: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FileField
        label={kind === 'decoder' ? 'Decoder' : 'ONNX file'}
        name="model"
        accept=".onnx"
        hint="With its weights inside, at most 512 MB. Choose it, or drop it here."
        required
      />
      {kind === 'classifier' && (
        <FileField
          label="Gradient graph"
          name="gradient"
          accept=".onnx"
          hint="model.grad.onnx, as the trainer writes it: for attacks."
        />
      )}
      {kind === 'oracle' && (
        <FileField
          label="Words"
          name="words"
          accept=".npy,.json"
          hint="An embedding of each class’s name in the order below: .npy, or JSON."
          required
        />
      )}
      {kind === 'decoder' && (
        <FileField
          label="Encoder"
          name="encoder"
          accept=".onnx"
          hint="Finds the place of a picture, from which the decoder draws."
          required
        />
      )}
    </div>
  );
}

interface FileFieldProps {
  label: string;
  name: string;
  accept: string;
  hint: string;
  required?: boolean;
}

const FileField = ({ label, hint, required, ...rest }: FileFieldProps) => (
  <Field label={label} hint={hint} optional={!required}>
    {(control) => <Input {...control} {...rest} type="file" required={required} className="leading-6" />}
  </Field>
);
