;; Dot products of one query with a run of rows, four numbers at a time.
;;
;; All addresses and sizes are in bytes. A row, and the query, is `stride` bytes of float32: a multiple
;; of 16, the end padded with zeros. Writes one float32 per row from `out` on.
(module
  (memory (export "memory") 1)
  (func (export "scan")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $offset i32)
    (local $sum v128)
    (local $out_end i32)
    (local.set $out_end
      (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $out) (local.get $out_end)))
        (local.set $sum (v128.const f32x4 0 0 0 0))
        (local.set $offset (i32.const 0))
        (loop $next_four
          (local.set $sum
            (f32x4.add
              (local.get $sum)
              (f32x4.mul
                (v128.load (i32.add (local.get $query) (local.get $offset)))
                (v128.load (i32.add (local.get $rows) (local.get $offset))))))
          (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
          (br_if $next_four (i32.lt_u (local.get $offset) (local.get $stride))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add
              (f32x4.extract_lane 0 (local.get $sum))
              (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add
              (f32x4.extract_lane 2 (local.get $sum))
              (f32x4.extract_lane 3 (local.get $sum)))))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next_row)))))
