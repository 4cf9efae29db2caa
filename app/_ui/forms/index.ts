export { ActionForm } from './action-form';
export {
  Checkbox,
  type ControlProps,
  Input,
  type Option,
  RadioGroup,
  Select,
  Switch,
  Textarea,
} from './controls';
export { Field, FormError } from './field';
