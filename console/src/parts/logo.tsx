export function Logo() {
  return (
    <svg class="mark" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <rect x="2" y="3" width="16" height="3" rx="1.5" />
      <rect x="2" y="8.5" width="11" height="3" rx="1.5" opacity="0.75" />
      <rect x="2" y="14" width="14" height="3" rx="1.5" opacity="0.5" />
    </svg>
  );
}
